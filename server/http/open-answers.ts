import { once } from 'node:events';
import type { Server, ServerResponse } from 'node:http';

/** The answers that are under way: not yet written, or not yet all with the operating system. */
export class OpenAnswers {
  readonly #open = new Set<ServerResponse>();

  constructor(server: Server) {
    server.on('request', (_request, response: ServerResponse) => {
      this.#open.add(response);
      response.once('close', () => this.#open.delete(response));
    });
  }

  /**
   * Resolves when no answer is under way. A server that is closed before takes a connection whose
   * answer is written but not yet sent for an idle one, and cuts it off.
   */
  async sent(): Promise<void> {
    while (this.#open.size > 0) {
      await Promise.all([...this.#open].map((response) => once(response, 'close')));
    }
  }
}
