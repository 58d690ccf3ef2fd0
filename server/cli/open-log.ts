import type { Config } from '../config.ts';
import { createLogger, type Logger } from '../lib/logger.ts';

/**
 * The log of a process that serves. When it cannot be written, because its disk is full or its reader has
 * left, standard error says so once, and the service goes on: whoever waits for a picture needs no log.
 */
export function openLog({ logLevel }: Pick<Config, 'logLevel'>, to: 'stdout' | 'stderr'): Logger {
  const stream = to === 'stderr' ? process.stderr : process.stdout;
  stream.once('error', ({ message }: Error) => {
    process.stderr.write(`error: the log cannot be written: ${message}\n`);
  });
  for (const each of [process.stdout, process.stderr]) each.on('error', () => {});
  return createLogger(logLevel, stream);
}
