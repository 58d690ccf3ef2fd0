import { once } from 'node:events';
import { createServer } from 'node:net';

/** A port that nobody listens on now, for what has to know its address before it starts. */
export async function freePort(): Promise<number> {
  const listener = createServer().listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const address = listener.address();
  listener.close();
  await once(listener, 'close');
  if (address === null || typeof address === 'string') throw new Error('no port was given');
  return address.port;
}
