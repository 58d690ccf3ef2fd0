import type { EngineName } from '../server/db/engine-name.ts';

/** What `--engine` names. Throws an error that says what it may be. */
export function readEngines(text: string): readonly EngineName[] {
  if (text === 'both') return ['sqlite', 'postgres'];
  if (text === 'sqlite' || text === 'postgres') return [text];
  throw new Error(`--engine must be sqlite, postgres or both, not ${text}`);
}

/** The number that an option gives, both ends of its range included. Throws an error that says the range. */
export function readWhole(
  name: string,
  text: string,
  { min, max }: { min: number; max: number },
): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= min && value <= max) return value;
  throw new Error(`--${name} must be a whole number from ${min} to ${max}, not ${text}`);
}
