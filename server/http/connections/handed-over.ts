/**
 * Whether an answer is handed over: the operating system has all of it.
 *
 * Node's `writableFinished` does not say so: before 24.20, and in 26.5, it is true, and `finish` is told, also of an answer
 * that was cut off in the middle. And Node tells of it late, when the system could take more, and so not before the caller of a large
 * answer has read on: tens or hundreds of milliseconds later. An answer that is cut off meanwhile is with its caller all
 * the same.
 */
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** A property of the answer itself: in a `WeakSet`, one answer per request would be collected late. */
const isTaken = Symbol('the operating system has all of the answer');

interface Watched extends ServerResponse {
  [isTaken]?: boolean;
}

/** To be called before the answer is begun. */
export function watchHandOver(answer: ServerResponse): void {
  const { socket } = answer.req;
  // Before Node ends or destroys the connection because the answer is out.
  answer.prependOnceListener('finish', () => {
    if (!socket.destroyed) noteTaken(answer);
  });
}

/** Of an answer that is watched. */
export function isHandedOver(answer: ServerResponse): boolean {
  return (answer as Watched)[isTaken] === true;
}

/** Looks whether the system has all of an answer; for {@link isHandedOver}, once its connection is closed. */
export function noteIfTaken(answer: ServerResponse): void {
  const { socket, writableEnded } = answer;
  if (socket && writableEnded && isAllTaken(socket)) noteTaken(answer);
}

function noteTaken(answer: Watched): void {
  answer[isTaken] = true;
}

/** Undocumented. Where a Node does not say, what it has told of counts alone. */
interface Handle {
  /** Bytes that Node has passed on. */
  bytesWritten?: number;
  /** Those of them that the system has not taken. */
  writeQueueSize?: number;
}

function isAllTaken(socket: Socket): boolean {
  const { _handle: handle, bytesWritten } = socket as Socket & { _handle?: Handle | null };
  return handle?.writeQueueSize === 0 && handle.bytesWritten === bytesWritten;
}
