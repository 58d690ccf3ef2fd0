import type { Config } from '../config.ts';
import { createLogger, type Logger } from '../lib/logger.ts';
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

/** At the end of the process: lines that nobody takes do not keep it from ending. */
export function leaveLog(): void {
  // Keeps nobody waiting itself: where all is taken, the process ends before.
  setTimeout(() => process.exit(), lastLinesMs).unref();
}
