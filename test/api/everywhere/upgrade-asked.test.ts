/**
 * Java's own client asks for HTTP/2 with each request to `http://`. Node drops what comes in one piece with the end of
 * the body of such a request, and that client sends the next one there when it has its answer early.
 */
import { expect, test } from 'vitest';
import { describeApi } from '../../support/callers/api.ts';
import { RawConnection } from '../../support/callers/raw-http.ts';
import { formEdit } from '../../support/callers/ways-to-ask.ts';

const length = 300_000;

describeApi((api) => {
  const models = () =>
    `GET /v1/models HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${api.user.apiKey}\r\n\r\n`;

  async function refused(...headers: string[]): Promise<RawConnection> {
    const connection = await RawConnection.open(api.app.baseUrl);
    const lines = [
      `POST ${formEdit.path} HTTP/1.1`,
      'Host: a',
      'Authorization: Bearer wrong',
      'Connection: Upgrade, HTTP2-Settings',
      'Upgrade: h2c',
      'HTTP2-Settings: AAEAAEAAAAIAAAABAAMAAABkAAQBAAAAAAUAAEAA',
      `Content-Length: ${length}`,
      ...headers,
    ];
    connection.send(`${lines.join('\r\n')}\r\n\r\n`);
    return connection;
  }

  test('what is refused is answered when its body is there, and what follows is served', async () => {
    const connection = await refused();
    connection.send(Buffer.alloc(length - 1));
    // Enough time for an answer that does not wait.
    for (let count = 0; count < 20; count++) await api.get('/v1/models');
    expect(connection.received).toBe('');
    connection.send(Buffer.alloc(1));
    expect(await connection.answer()).toMatchObject({ status: 401 });
    connection.send(models());
    expect(await connection.answer()).toMatchObject({ status: 200 });
    connection.close();
  });

  test('a body that was offered is refused at once', async () => {
    const connection = await refused('Expect: 100-continue');
    expect(await connection.answer()).toMatchObject({ status: 401 });
    await connection.closed();
  });
});
