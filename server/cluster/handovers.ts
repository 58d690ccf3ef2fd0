import type { Worker } from 'node:cluster';

/** A connection as Node hands it over: its own copy, which it closes when the worker says that it has taken another. */
interface Handle {
  close(): void;
}

/** What of a worker's process is looked at. */
interface Process extends Pick<Worker['process'], 'send'> {
  on(event: 'internalMessage', listener: (message: object) => void): unknown;
  emit(event: 'internalMessage', message: object): unknown;
}

/** So often a connection may get lost on its way before it is closed: each time another worker may have room for it. */
const lossesMax = 3;
/** By connection, whichever workers it was handed to. */
const losses = new WeakMap<Handle, number>();

/**
 * The connections that a worker was handed and has not said yet whether it takes them. When it dies, Node
 * forgets them (`round_robin_handle.js` as of Node 24): nobody would answer them, and nobody close them. One that is
 * refused Node hands to another worker.
 *
 * Nor does Node see to one that did not arrive because the worker has as many files open as it may. It would wait for
 * that answer for ever, and hand nothing to that worker any more.
 */
export class Handovers {
  readonly #process: Process;
  /** By the number of Node's message. */
  readonly #unanswered = new Map<unknown, Handle>();
  /** The numbers of those that may not have arrived yet: Node sends the next when it has heard of the one before. */
  readonly #underWay: unknown[] = [];

  constructor({ process }: { process: Process }) {
    this.#process = process;
    const send = process.send.bind(process);
    process.send = (message: object, ...rest: unknown[]) => {
      const [handle] = rest;
      if (isHandle(handle)) this.#note(message, handle);
      // As it came.
      return send(message, ...(rest as []));
    };
    process.on('internalMessage', (message: object) => {
      if ('ack' in message) this.#unanswered.delete(message.ack);
      if (!('cmd' in message)) return;
      if (message.cmd === 'NODE_HANDLE_ACK') this.#underWay.shift();
      if (message.cmd === 'NODE_HANDLE_NACK') this.#onLost(this.#underWay.shift());
    });
  }

  /** Closes them, so that their clients come again: for a worker that is dead. */
  close(): void {
    for (const handle of this.#unanswered.values()) handle.close();
    this.#unanswered.clear();
  }

  #note(message: object, handle: Handle): void {
    if (isNewConnection(message)) this.#unanswered.set(message.seq, handle);
    this.#underWay.push(isNewConnection(message) ? message.seq : null);
  }

  /** Answers in the worker's place: it does not take it, or, so that Node closes it, it does. */
  #onLost(seq: unknown): void {
    const handle = this.#unanswered.get(seq);
    if (!handle) return;
    const times = (losses.get(handle) ?? 0) + 1;
    losses.set(handle, times);
    const answer = { cmd: 'NODE_CLUSTER', ack: seq, accepted: times >= lossesMax };
    this.#process.emit('internalMessage', answer);
  }
}

/** Node's own message, of which nothing is documented: what another Node may say otherwise is left alone. */
function isNewConnection(message: object): message is { seq: unknown } {
  return 'act' in message && message.act === 'newconn' && 'seq' in message;
}

function isHandle(value: unknown): value is Handle {
  return typeof value === 'object' && value !== null && 'close' in value;
}
