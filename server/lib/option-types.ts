/** The forms in which an operator writes an option's value. Each reads text and writes it back. */
import { must } from './assert.ts';

export interface OptionType<T> {
  /** Null when the text is not of this form. */
  parse(text: string): T | null;
  format(value: T): string;
  /** Completes "must be …". */
  expected: string;
}

export function integer({ min, max }: { min: number; max: number }): OptionType<number> {
  return {
    parse: (text) => within(/^\d{1,15}$/.test(text) ? Number(text) : null, { min, max }),
    format: String,
    expected: `a whole number from ${min} to ${max}`,
  };
}

/** `250ms`, `10s`, `5m`, `1h`, `0`; in milliseconds. Another bare number would leave the unit to be guessed. */
export function duration({ min, max }: { min: string; max: string }): OptionType<number> {
  const range = { min: readUnits(min, durationUnits), max: readUnits(max, durationUnits) };
  return {
    parse: (text) => within(readUnits(text, durationUnits), range),
    format: (value) => writeUnits(value, durationUnits),
    expected: `a time from ${min} to ${max}, such as 500ms, 30s or 10m`,
  };
}

/** A time, or `0` for what is not done at all. */
export function noneOr(time: OptionType<number>): OptionType<number> {
  return {
    parse: (text) => (readUnits(text, durationUnits) === 0 ? 0 : time.parse(text)),
    format: (value) => time.format(value),
    expected: `0, or ${time.expected}`,
  };
}

/** `512KiB`, `1MiB`, `2GiB`; in bytes. */
export function byteSize({ min, max }: { min: string; max: string }): OptionType<number> {
  const range = { min: readUnits(min, byteUnits), max: readUnits(max, byteUnits) };
  return {
    parse: (text) => within(readUnits(text, byteUnits), range),
    format: (value) => writeUnits(value, byteUnits),
    expected: `a size from ${min} to ${max}, such as 512KiB or 100MiB`,
  };
}

export function oneOf<T extends string>(values: readonly T[]): OptionType<T> {
  return {
    parse: (text) => values.find((value) => value === text) ?? null,
    format: (value) => value,
    expected: `one of ${values.join(', ')}`,
  };
}

/** @param accept sees the text without blanks around it */
export function text(expected: string, accept: (text: string) => boolean): OptionType<string> {
  return {
    parse: (value) => (accept(value) ? value : null),
    format: (value) => value,
    expected,
  };
}

/** An address like the example. A password that was pasted into it as it is ends the name of the host at its first # or /. */
export function urlWithPassword(
  example: string,
  accept: (url: string) => boolean,
): OptionType<string> {
  const escapes = 'within the password # is written %23, / is %2F, ? is %3F, @ is %40 and % is %25';
  return text(`an address such as ${example} (${escapes})`, accept);
}

/** Nothing, or a value of another type. */
export function optional<T>(type: OptionType<T>): OptionType<T | null> {
  return {
    parse: (value) => type.parse(value),
    format: (value) => (value === null ? '' : type.format(value)),
    expected: type.expected,
  };
}

/** Entries between commas. */
export function list(
  expected: string,
  accept: (entry: string) => boolean,
): OptionType<readonly string[]> {
  return {
    parse: (value) => {
      const entries = value.split(',').map((entry) => entry.trim());
      return entries.every(accept) ? entries : null;
    },
    format: (entries) => entries.join(','),
    expected,
  };
}

/** Largest first. */
type Units = readonly (readonly [unit: string, size: number])[];

const durationUnits: Units = [
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1_000],
  ['ms', 1],
];

const byteUnits: Units = [
  ['GiB', 1024 ** 3],
  ['MiB', 1024 ** 2],
  ['KiB', 1024],
  ['B', 1],
];

/** Nothing is the same in every unit, so that 0 needs none. */
function readUnits(text: string, units: Units): number | null {
  if (text === '0') return 0;
  const [, digits, unit] = /^(\d{1,12})\s*([A-Za-z]+)$/.exec(text) ?? [];
  const size = units.find(([name]) => name === unit)?.[1];
  return digits === undefined || size === undefined ? null : Number(digits) * size;
}

/** In the largest unit that leaves no fraction. */
function writeUnits(value: number, units: Units): string {
  const [unit, size] =
    units.find(([, each]) => value >= each && value % each === 0) ?? must(units.at(-1), 'a unit');
  return `${value / size}${unit}`;
}

function within(
  value: number | null,
  { min, max }: { min: number | null; max: number | null },
): number | null {
  if (value === null || min === null || max === null) return null;
  return value >= min && value <= max ? value : null;
}
