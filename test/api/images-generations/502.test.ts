import { describe, expect, test } from 'vitest';
import { describeApi, errorOf, outcomeOf } from '../../support/callers/api.ts';
import { generation } from '../../support/callers/ways-to-ask.ts';

const failure = { status: 502, code: 'upstream_error', param: null };

describeApi(
  (api) => {
    describe('an upstream that fails', () => {
      test('fails a generation, and nothing is charged', async () => {
        const user = await api.app.addUser({ money: '0.04' });
        const answer = await api.ask(
          generation,
          { prompt: 'a fox [[fail=unavailable]]' },
          { user },
        );
        expect(outcomeOf(answer)).toEqual(failure);
        expect(errorOf(answer).type).toBe('server_error');
        expect(await api.ask(generation, {}, { user })).toMatchObject({ status: 200 });
      });

      test.each([
        ...['fail=auth', 'fail=quota', 'fail=busy', 'fail=unavailable'],
        ...['fail=timeout', 'fail=protocol', 'drop'],
        ...['corrupt', 'truncate', 'empty', 'text'],
      ])('by %s is a 502, and never the caller’s own 401 or 429', async (fault) => {
        const answer = await api.ask(generation, { prompt: `a fox [[${fault}]]` });
        expect(outcomeOf(answer)).toEqual(failure);
      });

      test('is to be quoted by the trace ID', async () => {
        const answer = await api.ask(generation, { prompt: 'a fox [[fail=protocol]]' });
        const { message, trace_id } = errorOf(answer);
        expect(message).toContain(trace_id);
        expect(message).toContain('Nothing was charged');
      });

      test('may be tried again only if it had not begun to work', async () => {
        const rejected = await api.ask(generation, { prompt: 'a fox [[fail=unavailable]]' });
        expect(rejected.headers.has('x-should-retry')).toBe(false);
        const begun = await api.ask(generation, { prompt: 'a fox [[drop]]' });
        expect(begun.headers.get('x-should-retry')).toBe('false');
      });

      test('fails a stream that has shown nothing with the status, not with an event', async () => {
        const fields = { prompt: 'a fox [[fail=unavailable]]', stream: true, partial_images: 2 };
        const answer = await api.ask(generation, fields);
        expect(outcomeOf(answer)).toEqual(failure);
      });
    });
  },
  // Its pauses between attempts are no part of the contract.
  { config: { attemptsPerPictureMax: 1 } },
);
