import type { IncomingMessage } from 'node:http';

/** How much of a refused body is still read, so that its sender gets to read our answer. */
export const drainBytesMax = 64 * 1_048_576;

/**
 * Reads on what is left of a body nobody wants and throws it away, up to a bound. Most clients send
 * their whole body before they read, and would get a broken connection instead of our error.
 */
export function drain(message: IncomingMessage): void {
  message.on('error', () => {});
  if (message.readableEnded || message.destroyed) return;
  let left = drainBytesMax;
  message.on('data', (piece: Buffer) => {
    left -= piece.length;
    if (left < 0) message.destroy();
  });
}
