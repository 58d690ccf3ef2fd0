import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { expect, it } from 'vitest';
import { OwedAnswers } from './owed-answers.ts';

it('tells an answer that waits for its turn that its connection was closed', async () => {
  const server = createServer();
  const owed = new OwedAnswers(server);
  const responses: ServerResponse[] = [];
  const sockets: Socket[] = [];
  const both = Promise.withResolvers<void>();
  server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    sockets.push(socket);
    responses.push(response);
    if (responses.length === 2) both.resolve();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const client = connect(port, '127.0.0.1');
  const get = 'GET / HTTP/1.1\r\nHost: here\r\n\r\n';
  client.write(get + get);
  await both.promise;
  const closed = responses.map((response) => once(response, 'close'));
  client.destroy();
  await Promise.all(closed);
  expect(responses.map(({ destroyed }) => destroyed)).toEqual([true, true]);
  // Nothing is owed to a connection that is closed.
  await Promise.all(sockets.map((socket) => owed.sent(socket)));
  server.close();
});
