/** A service that speaks the images API to whoever has its key, and says so to everybody else. */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export interface GuardedUpstream {
  /** Up to and with `/v1`. */
  baseUrl: string;
  /** The only key that it takes. */
  key: string;
  /** The code of its answer to any other; its message repeats what it was given. */
  refusalCode: string;
}

/** Lists two models; it lasts as long as the test. */
export async function startGuardedUpstream(): Promise<GuardedUpstream> {
  const key = 'sk-the-right-one';
  const refusalCode = 'invalid_api_key';
  const server = createServer((request, response) => {
    request.resume();
    const { authorization = 'no key' } = request.headers;
    if (authorization !== `Bearer ${key}`) {
      const message = `Incorrect API key provided: ${authorization}.`;
      const error = { message, type: 'invalid_request_error', code: refusalCode };
      send(response, { error }, 401);
    } else if (request.url === '/v1/models') {
      send(response, { object: 'list', data: [{ id: 'gen-image-2' }, { id: 'other-image-1' }] });
    } else send(response, { error: { message: 'Not found' } }, 404);
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((stopped) => server.close(stopped));
  });
  // It listens on a port, so this is no path.
  const { port } = server.address() as AddressInfo;
  return { baseUrl: `http://127.0.0.1:${port}/v1`, key, refusalCode };
}

function send(response: ServerResponse, body: object, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}
