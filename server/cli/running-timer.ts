import type { Clock } from '../lib/clock.ts';
import type { Terminal } from './terminal.ts';

const tickMs = 1_000;
/** Back to the beginning of the line, and nothing on it. */
const clearLine = '\r\x1b[K';

/** Shows the person at the terminal what is waited for and how long already; nobody else. */
export async function whileTimed<T>(
  { terminal, clock }: { terminal: Terminal; clock: Clock },
  what: string,
  work: Promise<T>,
): Promise<T> {
  if (!terminal.person) return work;
  const done = new AbortController();
  const shown = showTime({ terminal, clock }, what, done.signal);
  try {
    return await work;
  } finally {
    done.abort();
    await shown;
    terminal.err(clearLine);
  }
}

async function showTime(
  { terminal, clock }: { terminal: Terminal; clock: Clock },
  what: string,
  done: AbortSignal,
): Promise<void> {
  const begun = clock.monotonic();
  while (!done.aborted) {
    const seconds = Math.floor((clock.monotonic() - begun) / tickMs);
    terminal.err(`${clearLine}${what} … ${seconds} s (Ctrl-C cancels)`);
    // Rejects when the work is done, which the loop's condition sees.
    await clock.sleep(tickMs, done).catch(() => {});
  }
}
