import { describe, expect, test } from 'vitest';
import { describeApi } from '../../support/callers/api.ts';
import { describeStreams } from '../../support/callers/stream-contract.ts';
import { generation } from '../../support/callers/ways-to-ask.ts';

describeApi((api) => {
  describeStreams(api, generation, 'image_generation');

  describe('a stream', () => {
    test('is asked for by the body, not by the Accept header', async () => {
      const headers = { accept: 'text/event-stream' };
      const plain = await api.ask(generation, {}, { headers });
      expect(plain.headers.get('content-type')).toBe('application/json; charset=utf-8');
      const stream = await api.ask(
        generation,
        { stream: true },
        { headers: { accept: 'application/json' } },
      );
      expect(stream.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    });
  });
});
