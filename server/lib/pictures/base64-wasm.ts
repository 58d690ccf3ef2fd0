/**
 * Decodes base64 without making strings of it. Node decodes strings only, and to make one of every block of a picture
 * costs as much again as to decode it, and calls the garbage collector for every few megabytes.
 */
import { readFileSync } from 'node:fs';
import { assert } from '../assert.ts';

/** What is decoded at once becomes this many bytes... */
const groupBytes = 12;
/** ...of this many characters. */
export const groupCharacters = 16;

/** Of all that is decoded at once. */
export const charactersMax = 16 * 1_024;

/** Behind the constants. */
const charactersAt = 1_024;
const bytesAt = charactersAt + charactersMax;

/** As far as it is used here: the compiler knows it of browsers only. */
declare const WebAssembly: {
  validate: (code: Uint8Array) => boolean;
  Module: new (code: Uint8Array) => object;
  Instance: new (module: object) => { exports: object };
};

interface Decoder {
  memory: Uint8Array;
  decode: (from: number, end: number, to: number) => 0 | 1;
}

const decoder = load();

/** Whether it can run here; otherwise nothing is decoded by it. */
export const canDecodeGroups = decoder !== null;

/**
 * Decodes whole groups of characters, at most 16 KiB of them, to `at` in the target. False when one of them is none of
 * the standard alphabet; padding is none.
 */
export function decodeGroups(target: Uint8Array, at: number, characters: Uint8Array): boolean {
  const { length } = characters;
  assert(decoder, 'whoever decodes has asked whether it can be done');
  assert(length <= charactersMax, 'as many characters as there is room for');
  assert(length % groupCharacters === 0, 'only whole groups are decoded');
  if (length === 0) return true;
  decoder.memory.set(characters, charactersAt);
  if (decoder.decode(charactersAt, charactersAt + length, bytesAt) === 0) return false;
  target.set(
    decoder.memory.subarray(bytesAt, bytesAt + (length / groupCharacters) * groupBytes),
    at,
  );
  return true;
}

/** Null where it cannot run: without the instructions, or where the system grants less address space than V8 asks for. */
function load(): Decoder | null {
  try {
    return instantiate();
  } catch {
    // Node decodes as well, only slower.
    return null;
  }
}

function instantiate(): Decoder | null {
  const code = readFileSync(new URL('./decode-base64.wasm', import.meta.url));
  if (!WebAssembly.validate(code)) return null;
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(code));
  // The module's text, beside it, exports exactly these two; its memory never grows.
  const { memory, decode } = exports as Pick<Decoder, 'decode'> & {
    memory: { buffer: ArrayBuffer };
  };
  return { memory: new Uint8Array(memory.buffer), decode };
}
