import { expect, test } from 'vitest';
import { outcomeOf, wrong } from '../support/callers/api.ts';
import { RawConnection } from '../support/callers/raw-http.ts';
import { describeOnSqlite } from './on-sqlite.ts';

describeOnSqlite(
  (api) => {
    test('headers that do not come in time are a 408, and the end of the connection', async () => {
      const connection = await RawConnection.open(api.app.baseUrl);
      connection.send('GET /v1/models HTTP/1.1\r\nHost: a\r\nX-');
      expect(outcomeOf(await connection.answer())).toEqual({ ...wrong(null), status: 408 });
      await connection.closed();
    });

    test('a request that came in time has as long as it takes', async () => {
      const prompt = 'a fox [[actual=32x32]] [[delay=3s]]';
      const answer = await api.send('POST', '/v1/images/generations', {
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ model: 'gen-image-2.5-flare', prompt }),
      });
      expect(answer).toMatchObject({ status: 200 });
    });
  },
  { config: { headersTimeoutMs: 1_000 } },
);
