/**
 * Whether an answer is handed over: the operating system has all of it. Node tells of that late, when the system could
 * take more, and so not before the caller of a large answer has read on: tens or hundreds of milliseconds later. An
 * answer that is cut off meanwhile is with its caller all the same.
 */
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

const taken = new WeakSet<ServerResponse>();

export function isHandedOver(answer: ServerResponse): boolean {
  return answer.writableFinished || taken.has(answer);
}

/** Looks whether the system has all of an answer; for {@link isHandedOver}, once its connection is closed. */
export function noteIfTaken(answer: ServerResponse): void {
  const { socket, writableEnded } = answer;
  if (socket && writableEnded && isAllTaken(socket)) taken.add(answer);
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
