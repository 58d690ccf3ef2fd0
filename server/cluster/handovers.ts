import type { Worker } from 'node:cluster';

/** A connection as Node hands it over: its own copy of it, which it closes when the worker has said that it has another. */
interface Handle {
  close(...args: readonly unknown[]): void;
}

/** To which worker each was handed last: one that a worker does not take goes to the next. */
const owners = new WeakMap<Handle, Handovers>();

/**
 * The connections that a worker was handed and has not said yet that it has. Node forgets them when it dies
 * (`round_robin_handle.js` as of Node 24): nobody would answer them, and nobody close them.
 */
export class Handovers {
  readonly #untaken = new Set<Handle>();

  constructor({ process }: Pick<Worker, 'process'>) {
    const send = process.send.bind(process);
    process.send = (message: object, ...rest: unknown[]) => {
      const [handle] = rest;
      if (isNewConnection(message) && isHandle(handle)) this.#note(handle);
      // As it came.
      return send(message, ...(rest as []));
    };
  }

  /** Closes them, so that their clients come again: for a worker that is dead. */
  close(): void {
    for (const handle of this.#untaken) if (owners.get(handle) === this) handle.close();
    this.#untaken.clear();
  }

  #note(handle: Handle): void {
    owners.set(handle, this);
    this.#untaken.add(handle);
    const close = handle.close.bind(handle);
    handle.close = (...args) => {
      this.#untaken.delete(handle);
      close(...args);
    };
  }
}

/** Node's own message, of which nothing is documented: another Node may say it otherwise, and is left alone then. */
function isNewConnection(message: object): boolean {
  return 'act' in message && message.act === 'newconn';
}

function isHandle(value: unknown): value is Handle {
  return typeof value === 'object' && value !== null && 'close' in value;
}
