/** What is written down of a request whose body a service that stops did not wait for. */
import { expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { RawConnection } from '../../support/callers/raw-http.ts';
import { formEdit, generation, type Way } from '../../support/callers/ways-to-ask.ts';
import { forEachEngine } from '../../support/databases/databases.ts';

forEachEngine((engine) => {
  test.each<[string, Way]>([
    ['a generation', generation],
    ['an edit', formEdit],
  ])('%s that the service cut off was interrupted, and left by nobody', async (_what, way) => {
    const database = await engine.open();
    const config = { shutdownLimitMs: 1 };
    const app = await startTestApp(engine.locationOf(database), { config });
    const user = await app.addUser({ money: '1' });
    const connection = await beginToSend(app, way, user.apiKey);
    await app.stop();
    await connection.closed();
    const records = await database.kysely
      .selectFrom('usage_records')
      .select(['status', 'code', 'cost'])
      .where('user_id', '=', user.id)
      .execute();
    expect(records).toEqual([{ status: 'failed', code: 'interrupted', cost: 0 }]);
  });

  async function beginToSend(
    { baseUrl }: TestApp,
    way: Way,
    apiKey: string,
  ): Promise<RawConnection> {
    const connection = await RawConnection.open(baseUrl);
    const lines = [
      `POST ${way.path} HTTP/1.1`,
      'Host: a',
      `Authorization: Bearer ${apiKey}`,
      `Content-Type: ${way === formEdit ? 'multipart/form-data; boundary=b' : 'application/json'}`,
      'Content-Length: 200',
      'Expect: 100-continue',
    ];
    connection.send(`${lines.join('\r\n')}\r\n\r\n`);
    expect(await connection.answer()).toMatchObject({ status: 100 });
    return connection;
  }
});
