import { once } from 'node:events';
import type { Server, ServerResponse } from 'node:http';
import { Roster } from '../lib/roster.ts';

/** The answers that are under way: not yet written, or not yet all with the operating system. */
export class OpenAnswers {
  readonly #open = new Roster<ServerResponse>();
  #last = 0;

  constructor(server: Server) {
    server.on('request', (_request, response: ServerResponse) => {
      const id = `answer ${++this.#last}`;
      this.#open.set(id, response);
      response.once('close', () => this.#open.delete(id));
    });
  }

  /**
   * Resolves when no answer is under way. A server that is closed before takes a connection whose
   * answer is written but not yet sent for an idle one, and cuts it off.
   */
  async sent(): Promise<void> {
    while (this.#open.size > 0) {
      await Promise.all(this.#open.values().map((response) => once(response, 'close')));
    }
  }
}
