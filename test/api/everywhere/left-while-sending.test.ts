/** What is written down of a request whose caller leaves before there is anything to answer. */
import { expect, test, vi } from 'vitest';
import { describeApi } from '../../support/callers/api.ts';
import { RawConnection } from '../../support/callers/raw-http.ts';
import { generation, jsonEdit, type Way } from '../../support/callers/ways-to-ask.ts';

describeApi((api) => {
  test.each<[string, Way]>([
    ['a generation', generation],
    ['an edit', jsonEdit],
  ])(
    '%s whose body was never sent to its end was canceled, and found wrong by nobody',
    async (_what, way) => {
      const user = await api.app.addUser({ money: '1' });
      const connection = await RawConnection.open(api.app.baseUrl);
      const lines = [
        `POST ${way.path} HTTP/1.1`,
        'Host: a',
        `Authorization: Bearer ${user.apiKey}`,
        'Content-Type: application/json',
        'Content-Length: 200',
        'Expect: 100-continue',
      ];
      connection.send(`${lines.join('\r\n')}\r\n\r\n`);
      expect(await connection.answer()).toMatchObject({ status: 100 });
      connection.send('{"model":"gen-image-2"');
      connection.close();
      const recordOf = () =>
        api.app.database.kysely
          .selectFrom('usage_records')
          .select(['status', 'code', 'cost'])
          .where('user_id', '=', user.id)
          .executeTakeFirst();
      // Written down a little later.
      const record = await vi.waitUntil(recordOf, { timeout: 15_000 });
      expect(record).toEqual({ status: 'canceled', code: 'client_gone', cost: 0 });
    },
  );
});
