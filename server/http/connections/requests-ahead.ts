/**
 * Requests that clients send before the one before them is answered. Node reads up to 64 KB of them at once, which is
 * thousands: each waits for a turn of the event loop, in their order, so that nobody else waits for all of them.
 */
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setImmediate as afterThisTurn } from 'node:timers/promises';

const turns = new WeakMap<Socket, Promise<void>>();

/** Whether its connection still owes an earlier answer. */
export function isAhead({ socket }: ServerResponse): boolean {
  return socket === null;
}

/** Resolves when it may be looked at: one of a connection in each turn of the event loop. */
export function turnOf(socket: Socket): Promise<void> {
  const turn = (turns.get(socket) ?? Promise.resolve()).then(() => afterThisTurn());
  turns.set(socket, turn);
  return turn;
}
