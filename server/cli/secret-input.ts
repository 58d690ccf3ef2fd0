import { readFileSync } from 'node:fs';
import type { Cli } from './cli.ts';
import { UsageError } from './failure.ts';

/** As a description of the option ends. */
export const orInput = '- reads standard input';

/**
 * Reads a secret from a file, or from standard input for `-`; never from the command line itself,
 * which every user of the machine can read.
 */
export async function readSecret(
  cli: Cli,
  { file, what }: { file: string; what: string },
): Promise<string> {
  const text = file === '-' ? await cli.terminal.input(what) : readSecretFile(file, what);
  const secret = text.trim();
  if (secret === '') throw new UsageError(`the ${what} is empty`);
  return secret;
}

/** As `readSecret`, for what may be left out. */
export async function readSecretIfNamed(
  cli: Cli,
  { file, what }: { file: string | undefined; what: string },
): Promise<string | null> {
  return file === undefined ? null : await readSecret(cli, { file, what });
}

function readSecretFile(file: string, what: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UsageError(`the ${what} file cannot be read: ${reason}`);
  }
}
