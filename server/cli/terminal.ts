import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import type { Variables } from '../lib/options.ts';

/** What a command reads and writes, so that tests can run one without a process of its own. */
export interface Terminal {
  /** For results. */
  out(text: string): void;
  /** For notes and errors. */
  err(text: string): void;
  /**
   * Everything on standard input, up to its end or, at a keyboard, to the end of the line.
   * @param secret what it is, where nobody may read it on the screen: whoever sits there is asked for it
   */
  input(secret?: string): Promise<string>;
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
  // Whoever writes is told of it, and stops nothing half done for it.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  const isKeyboardThere = process.stdin.isTTY;
  // Whoever keeps what a command says, as by `2>&1 | tee`, may not see a question in time.
  const isPersonThere = isKeyboardThere && process.stderr.isTTY;
  return {
    out: (text) => void process.stdout.write(text, failIfLost),
    err: (text) => void process.stderr.write(text),
    input: (secret) => (isKeyboardThere && secret !== undefined ? ask(secret) : readInput()),
    environment: undefined,
    ...(isPersonThere && { person: { onInterrupt } }),
  };
}

/** A command whose result was lost has failed, but not where its reader has seen enough, as `head` does. */
function failIfLost(error?: NodeJS.ErrnoException | null): void {
  if (!error || error.code === 'EPIPE' || saidLost) return;
  saidLost = true;
  process.stderr.write(`error: the output cannot be written: ${error.message}\n`);
  // What the command did is done, so it ends by itself, and would say 0 of its own.
  process.once('exit', () => {
    process.exitCode ||= 1;
  });
}

let saidLost = false;

/** Once only: who presses Ctrl-C again wants the process to end. */
function onInterrupt(act: () => void): () => void {
  process.once('SIGINT', act);
  return () => process.off('SIGINT', act);
}

/** Asks for a secret. As a line editor that shows nothing, for a terminal itself shows what is typed. */
async function ask(secret: string): Promise<string> {
  const output = new Writable({ write: (_text, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output, terminal: true, historySize: 0 });
  // Only now, for nothing that is typed from here on is shown.
  process.stderr.write(`${secret} (not shown): `);
  // Ctrl-C comes as a key.
  lines.once('SIGINT', () => {
    lines.close();
    process.kill(process.pid, 'SIGINT');
  });
  const typed = await new Promise<string>((resolve) => {
    lines.once('line', resolve);
    lines.once('close', () => resolve(''));
  });
  lines.close();
  process.stderr.write('\n');
  return typed;
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
