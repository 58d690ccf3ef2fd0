import { createInterface } from 'node:readline';
import type { Variables } from '../lib/options.ts';

/** What a command reads and writes, so that tests can run one without a process of its own. */
export interface Terminal {
  /** For results. */
  out(text: string): void;
  /** For notes and errors. */
  err(text: string): void;
  /** Everything on standard input, up to its end or, at a keyboard, to the end of the line. */
  input(): Promise<string>;
  /** Undefined takes the process's own. */
  environment: Variables | undefined;
  /** Whoever sits at it; absent where a program runs the command. */
  person?: Person;
}

/** Reads what goes to `err` and answers at a keyboard. */
export interface Person {
  /** Calls `act` at the next Ctrl-C, which then ends nothing else. Answers with what undoes that. */
  onInterrupt(act: () => void): () => void;
}

const inputCharactersMax = 100_000;

export function processTerminal(): Terminal {
  // Whoever read our output has seen enough, as `head` does.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
  return {
    out: (text) => void process.stdout.write(text),
    err: (text) => void process.stderr.write(text),
    input: readInput,
    environment: undefined,
    ...(process.stdin.isTTY && process.stderr.isTTY && { person: { onInterrupt } }),
  };
}

/** Once only: who presses Ctrl-C again wants the process to end. */
function onInterrupt(act: () => void): () => void {
  process.once('SIGINT', act);
  return () => process.off('SIGINT', act);
}

async function readInput(): Promise<string> {
  const lines = createInterface({ input: process.stdin });
  let text = '';
  for await (const line of lines) {
    text += `${line}\n`;
    if (process.stdin.isTTY || text.length > inputCharactersMax) break;
  }
  lines.close();
  return text;
}
