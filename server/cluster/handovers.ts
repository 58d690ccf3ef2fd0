import type { Worker } from 'node:cluster';

/** A connection as Node hands it over: its own copy, which it closes when the worker says that it has taken another. */
interface Handle {
  close(): void;
}

/** What of a worker's process is looked at. */
interface Process extends Pick<Worker['process'], 'send'> {
  on(event: 'internalMessage', listener: (message: object) => void): unknown;
}

/**
 * The connections that a worker was handed and has not said yet whether it takes them. When it dies, Node
 * forgets them (`round_robin_handle.js` as of Node 24): nobody would answer them, and nobody close them. One that is
 * refused Node hands to another worker.
 */
export class Handovers {
  /** By the number of Node's message. */
  readonly #unanswered = new Map<unknown, Handle>();

  constructor({ process }: { process: Process }) {
    const send = process.send.bind(process);
    process.send = (message: object, ...rest: unknown[]) => {
      const [handle] = rest;
      if (isNewConnection(message) && isHandle(handle)) this.#unanswered.set(message.seq, handle);
      // As it came.
      return send(message, ...(rest as []));
    };
    process.on('internalMessage', (message: object) => {
      if ('ack' in message) this.#unanswered.delete(message.ack);
    });
  }

  /** Closes them, so that their clients come again: for a worker that is dead. */
  close(): void {
    for (const handle of this.#unanswered.values()) handle.close();
    this.#unanswered.clear();
  }
}

/** Node's own message, of which nothing is documented: what another Node may say otherwise is left alone. */
function isNewConnection(message: object): message is { seq: unknown } {
  return 'act' in message && message.act === 'newconn' && 'seq' in message;
}

function isHandle(value: unknown): value is Handle {
  return typeof value === 'object' && value !== null && 'close' in value;
}
