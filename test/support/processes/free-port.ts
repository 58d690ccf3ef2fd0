import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below those that systems lend by themselves, to whoever listens on any port or connects to one. */
const lowest = 20_000;
const count = 12_000;

/**
 * A port that nobody listens on now, for what has to know its address before it starts. One that the system
 * gave could be given to another test before that.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = lowest + randomInt(count);
    if (await isFree(port)) return port;
  }
}

async function isFree(port: number): Promise<boolean> {
  const listener = createServer().listen(port, '127.0.0.1');
  try {
    await once(listener, 'listening');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') return false;
    throw error;
  }
  listener.close();
  await once(listener, 'close');
  return true;
}
