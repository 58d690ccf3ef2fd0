/** Unmistakable contents, and the search for what is left of them. */
import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

export interface Canary {
  /** What it stood for, such as `the prompt`. */
  name: string;
  bytes: Buffer;
}

/** Somewhere that a canary could have got to. */
export interface Place {
  name: string;
  content: Buffer;
}

/** A word that exists nowhere else. */
export function canaryWord(): string {
  return `canary${randomBytes(12).toString('hex')}`;
}

/** Everything found, such as `the prompt in base64 in data/tintype.db-wal`. */
export function findCanaries(canaries: readonly Canary[], places: readonly Place[]): string[] {
  return places.flatMap((place) => {
    // Hex and escapes may be in capitals.
    const lowered = Buffer.from(place.content.toString('latin1').toLowerCase(), 'latin1');
    return canaries.flatMap(({ name, bytes }) =>
      disguises(bytes)
        .filter(({ form, hasCase }) => (hasCase ? place.content : lowered).includes(form))
        .map(({ as }) => `${name} ${as} in ${place.name}`),
    );
  });
}

export interface Disguise {
  as: string;
  form: Buffer;
  hasCase: boolean;
}

/** The forms in which bytes are written down. */
export function disguises(bytes: Buffer): Disguise[] {
  const hex = bytes.toString('hex');
  const pairs = hex.match(/../g) ?? [];
  return [
    { as: 'as it is', form: bytes, hasCase: true },
    { as: 'in UTF-16', form: Buffer.from(bytes.toString('latin1'), 'utf16le'), hasCase: true },
    { as: 'in hex', form: Buffer.from(hex), hasCase: false },
    { as: 'URL-encoded', form: Buffer.from(`%${pairs.join('%')}`), hasCase: false },
    { as: 'escaped', form: Buffer.from(`\\u00${pairs.join('\\u00')}`), hasCase: false },
    { as: 'as a list of numbers', form: Buffer.from([...bytes].join(',')), hasCase: true },
    ...base64Forms(bytes).flatMap((form) => [
      { as: 'in base64', form: Buffer.from(form), hasCase: true },
      { as: 'in base64url', form: Buffer.from(toUrlAlphabet(form)), hasCase: true },
    ]),
  ];
}

/** Base64 looks different at each of three offsets; its ends depend on the neighbours. */
function base64Forms(bytes: Buffer): string[] {
  return [0, 1, 2].map((offset) => {
    const text = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64');
    const start = offset === 0 ? 0 : offset + 1;
    const whole = Math.floor(((offset + bytes.length) * 8) / 6);
    return text.slice(start, whole);
  });
}

function toUrlAlphabet(base64: string): string {
  return base64.replaceAll('+', '-').replaceAll('/', '_');
}

/** Every file below a folder. */
export function filesBelow(folder: string): Place[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => {
      const path = join(entry.parentPath, entry.name);
      return { name: relative(folder, path), content: readFileSync(path) };
    });
}
