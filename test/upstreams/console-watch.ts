import { format } from 'node:util';

const methods = ['debug', 'error', 'info', 'log', 'warn'] as const;

/** Hears what is written to the console, until it ends. */
export class ConsoleWatch {
  readonly #heard: string[] = [];
  readonly #original = methods.map((method) => [method, console[method]] as const);

  constructor() {
    for (const method of methods) {
      console[method] = (...values: unknown[]) => void this.#heard.push(format(...values));
    }
  }

  text(): string {
    return this.#heard.join('\n');
  }

  end(): void {
    for (const [method, original] of this.#original) console[method] = original;
  }
}
