import type { Writable } from 'node:stream';
import type { Config } from '../../config.ts';
import { systemClock } from '../../lib/clock.ts';
import { createLogger, type Logger } from '../../lib/logger.ts';
import { BoundedLog } from './bounded-log.ts';

/** Some ten thousand lines, which wait for a reader that takes nothing. */
const unreadBytesMax = 4 * 1024 * 1024;
/** For a reader to take the last lines when the process ends. */
const lastLinesMs = 2_000;

/**
 * The log of a process that serves. When it cannot be written, because its disk is full or its reader has
 * left or takes nothing, standard error says so once, and the service goes on: whoever waits for a picture
 * needs no log.
 */
export function openLog({ logLevel }: Pick<Config, 'logLevel'>, to: 'stdout' | 'stderr'): Logger {
  const stream = to === 'stderr' ? process.stderr : process.stdout;
  stream.once('error', ({ message }: Error) => {
    process.stderr.write(`error: the log cannot be written: ${message}\n`);
  });
  for (const each of [process.stdout, process.stderr]) each.on('error', () => {});
  let said = false;
  const destination = new BoundedLog(stream, {
    bytesMax: unreadBytesMax,
    onStuck: () => {
      if (!said) process.stderr.write('error: the log cannot be written: nobody reads it\n');
      said = true;
    },
    onResumed: (lost) => log.warn({ lost }, 'nobody read the log: lines of it are lost'),
  });
  const log = createLogger(logLevel, destination);
  return log;
}

/** At the end of the process, which need not wait for this: lines that nobody takes do not keep it from ending. */
export async function leaveLog(): Promise<void> {
  const pending = [process.stdout, process.stderr].filter((each) => each.writableLength > 0);
  if (pending.length === 0) return;
  const taken = new AbortController();
  const allTaken = Promise.all(pending.map(untilTaken)).then(() => taken.abort());
  const inVain = systemClock.sleep(lastLinesMs, taken.signal).then(
    () => process.exit(),
    () => {},
  );
  await Promise.race([allTaken, inVain]);
}

/** All that was written before, or was lost. */
function untilTaken(stream: Writable): Promise<void> {
  return new Promise((resolve) => {
    stream.write('', () => resolve());
  });
}
