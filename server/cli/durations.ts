/** Times as people write them: `500ms`, `30s`, `10m`, `1h`. */
import { InvalidArgumentError } from 'commander';
import { duration } from '../lib/option-types.ts';

const anyDuration = duration({ min: '0ms', max: '24h' });

/** A reader of times within a range of milliseconds. */
export function durationArgument({ min, max }: { min: number; max: number }) {
  const type = duration({ min: anyDuration.format(min), max: anyDuration.format(max) });
  return (text: string): number => {
    const ms = type.parse(text);
    if (ms === null) throw new InvalidArgumentError(`It must be ${type.expected}.`);
    return ms;
  };
}

export function formatDuration(ms: number): string {
  return anyDuration.format(ms);
}
