/** How an upstream is reached, as options of the commands that add and edit one. */
import { type Command, Option } from 'commander';
import {
  priorityMax,
  type UpstreamLimits,
  upstreamLimitBounds,
  upstreamLimitsDefault,
  weightMax,
} from '../../catalog/upstream.ts';
import { integerArgument } from '../arguments.ts';
import { type Assignment, readAssignment } from '../assignments.ts';
import type { Cli } from '../cli.ts';
import { durationArgument, formatDuration } from '../durations.ts';
import { UsageError } from '../failure.ts';
import { orInput, readSecretIfNamed } from '../secret-input.ts';

export const priorityDefault = 0;
export const weightDefault = 1;

export interface ConnectionOptions {
  baseUrl?: string;
  credentialFile?: string;
  proxyFile?: string;
  set: readonly Assignment[];
  concurrency?: number | 'none';
  queue?: number;
  queueWait?: number;
  firstByte?: number;
  idle?: number;
  priority?: number;
  weight?: number;
  reason?: string;
}

/** @param isNew what is not named has its default; else it stays as it is */
export function addConnectionOptions(command: Command, { isNew }: { isNew: boolean }): Command {
  const { queueMax, queueWaitMs, firstByteMs, idleMs } = upstreamLimitBounds;
  const limits = upstreamLimitsDefault;
  const orElse = (value: string | number) => (isNew ? ` (default: ${value})` : '');
  return command
    .option('--base-url <url>', 'address of the service')
    .option('--credential-file <file>', `file that holds its credential; ${orInput}`)
    .option('--proxy-file <file>', `file that holds the URL of the proxy to it; ${orInput}`)
    .addOption(
      new Option(
        '--set <name=value>',
        'a setting of its kind, or one in it (a.b=value); the value as JSON, as text, or @file; may be repeated',
      )
        .default([], isNew ? 'none' : 'no change')
        .argParser(readAssignment),
    )
    .option(
      '--concurrency <number>',
      `calls at once, or none for any number${orElse('none')}`,
      readConcurrency,
    )
    .option(
      '--queue <number>',
      `calls that may wait for one to end${orElse(limits.queueMax)}`,
      integerWithin(queueMax),
    )
    .option(
      '--queue-wait <time>',
      `how long one waits${orElse(formatDuration(limits.queueWaitMs))}`,
      durationArgument(queueWaitMs),
    )
    .option(
      '--first-byte <time>',
      `how long an answer may take to begin${orElse(formatDuration(limits.firstByteMs))}`,
      durationArgument(firstByteMs),
    )
    .option(
      '--idle <time>',
      `longest silence within an answer${orElse(formatDuration(limits.idleMs))}`,
      durationArgument(idleMs),
    )
    .option(
      '--priority <number>',
      `lower goes first${orElse(priorityDefault)}`,
      integerArgument(0, priorityMax),
    )
    .option(
      '--weight <number>',
      `share among upstreams of one priority${orElse(weightDefault)}`,
      integerArgument(1, weightMax),
    )
    .option('--reason <text>', 'why, for the audit');
}

function readConcurrency(text: string): number | 'none' {
  return text === 'none' ? text : integerWithin(upstreamLimitBounds.concurrencyMax)(text);
}

function integerWithin({ min, max }: { min: number; max: number }): (text: string) => number {
  return integerArgument(min, max);
}

/** Those that are named. */
export function limitsOf(options: ConnectionOptions): Partial<UpstreamLimits> {
  const { concurrency, queue, queueWait, firstByte, idle } = options;
  return {
    ...(concurrency !== undefined && {
      concurrencyMax: concurrency === 'none' ? null : concurrency,
    }),
    ...(queue !== undefined && { queueMax: queue }),
    ...(queueWait !== undefined && { queueWaitMs: queueWait }),
    ...(firstByte !== undefined && { firstByteMs: firstByte }),
    ...(idle !== undefined && { idleMs: idle }),
  };
}

export interface ConnectionSecrets {
  /** Null where none was given. */
  credential: string | null;
  proxy: string | null;
}

export async function readConnectionSecrets(
  cli: Cli,
  { credentialFile, proxyFile }: ConnectionOptions,
): Promise<ConnectionSecrets> {
  if (credentialFile === '-' && proxyFile === '-') {
    throw new UsageError('only one of credential and proxy can come from standard input');
  }
  return {
    credential: await readSecretIfNamed(cli, { file: credentialFile, what: 'credential' }),
    proxy: await readSecretIfNamed(cli, { file: proxyFile, what: 'proxy' }),
  };
}
