import type { IncomingMessage } from 'node:http';
import { drain, drainBytesMax } from './drain.ts';
import { isOffered } from './offered-body.ts';

/**
 * Answers at once, or when the body is there, if what follows on the connection would be lost otherwise: of a request
 * that asks for another protocol, Node drops whatever comes in one piece with the end of the body. Java's own client asks
 * for HTTP/2 with each request to `http://`, and where it is answered early, it sends the next one right behind the body.
 */
export function answerInTime(message: IncomingMessage, answer: () => void): void {
  const { upgrade, 'content-length': length = '0' } = message.headers;
  const isComing = !message.readableEnded && !message.destroyed && Number(length) <= drainBytesMax;
  // Who offered its body waits for the answer.
  if (upgrade === undefined || !isComing || isOffered(message)) return answer();
  message.once('close', answer);
  drain(message);
}
