import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { readWhole } from '../read-option.ts';

export type Side = 'requests' | 'upstreams';

export interface Options {
  help: boolean;
  seed: number;
  rounds: number;
  /** Null for as long as the rounds take. */
  seconds: number | null;
  sides: readonly Side[];
  keep: boolean;
}

export const helpText = `npm run fuzz -- [options]

Sends broken requests to a real service, and lets its upstreams answer with broken answers. After
every round a good request must work; in the end the books must agree, nothing may be left open, and
neither memory nor connections may have grown. Ends with 1 when one of this was not so, and prints
the smallest case that shows it.

  --seed N                            repeat an earlier run (a random one)
  --rounds N                          rounds of four cases each (100)
  --seconds N                         stop after so many seconds, whatever rounds are left
  --side requests|upstreams|both      whose bytes are broken (both)
  --keep                              keep the folder: log and database
  --help                              this

Everything stays on 127.0.0.1, in a database of its own.
`;

const ranges = {
  rounds: { min: 1, max: 1_000_000 },
  seconds: { min: 1, max: 86_400 },
  seed: { min: 0, max: 2 ** 32 - 1 },
} as const;

export function readOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      help: { type: 'boolean', default: false },
      seed: { type: 'string' },
      rounds: { type: 'string', default: '100' },
      seconds: { type: 'string' },
      side: { type: 'string', default: 'both' },
      keep: { type: 'boolean', default: false },
    },
  });
  return {
    help: values.help,
    seed:
      values.seed === undefined
        ? randomInt(ranges.seed.max)
        : readWhole('seed', values.seed, ranges.seed),
    rounds: readWhole('rounds', values.rounds, ranges.rounds),
    seconds:
      values.seconds === undefined ? null : readWhole('seconds', values.seconds, ranges.seconds),
    sides: readSides(values.side),
    keep: values.keep,
  };
}

function readSides(text: string): readonly Side[] {
  switch (text) {
    case 'both':
      return ['requests', 'upstreams'];
    case 'requests':
    case 'upstreams':
      return [text];
    default:
      throw new Error(`--side must be requests, upstreams or both, not ${text}`);
  }
}
