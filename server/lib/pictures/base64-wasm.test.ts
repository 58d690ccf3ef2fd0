import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { compileWat } from '../../../test/support/processes/compile-wat.ts';
import { decodeGroups, groupCharacters } from './base64-wasm.ts';

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

test('the code is what its text makes', async () => {
  const text = readFileSync(new URL('decode-base64.wat', import.meta.url), 'utf8');
  const code = readFileSync(new URL('decode-base64.wasm', import.meta.url));
  expect(code.equals(await compileWat(text)), 'npm run wasm makes it anew').toBe(true);
});

test('takes the alphabet and nothing else, wherever it stands', () => {
  const bytes = Buffer.alloc(12);
  const accepted: string[] = [];
  for (let at = 0; at < groupCharacters; at++) {
    let those = '';
    for (let character = 0; character < 256; character++) {
      const group = Buffer.alloc(groupCharacters, 'A');
      group[at] = character;
      if (!decodeGroups(bytes, 0, group)) continue;
      those += String.fromCharCode(character);
      expect(bytes.equals(Buffer.from(group.toString('latin1'), 'base64'))).toBe(true);
    }
    accepted.push(those);
  }
  const sorted = [...alphabet].sort().join('');
  expect(accepted).toEqual(Array.from({ length: groupCharacters }, () => sorted));
});

test.each([1, 2, 1_023, 1_024])(
  'decodes %i groups as Node does, and touches nothing beside them',
  (groups) => {
    const bytes = randomBytes(groups * 12);
    const target = Buffer.alloc(bytes.length + 2, 0xee);
    expect(decodeGroups(target, 1, Buffer.from(bytes.toString('base64')))).toBe(true);
    expect(target.subarray(1, -1).equals(bytes)).toBe(true);
    expect([target.at(0), target.at(-1)]).toEqual([0xee, 0xee]);
  },
);

test('decodes nothing of nothing, and refuses parts of a group and more than there is room for', () => {
  expect(decodeGroups(Buffer.alloc(0), 0, Buffer.alloc(0))).toBe(true);
  const target = Buffer.alloc(16 * 1_024);
  expect(() => decodeGroups(target, 0, Buffer.alloc(15, 'A'))).toThrow('whole groups');
  expect(() => decodeGroups(target, 0, Buffer.alloc(16 * 1_024 + 16, 'A'))).toThrow('room');
});
