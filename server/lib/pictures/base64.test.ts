import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { LentMemory } from '../../../test/support/lent-memory.ts';
import * as byWebAssembly from './base64.ts';

const { encodeBase64, lookAtBase64 } = byWebAssembly;

const block = 12 * 1024;
const lengthsAroundBlocks = [0, 1, 2, 3, 4, block - 1, block, block + 1, block + 2, 3 * block + 1];

describe('encoding', () => {
  test.each(lengthsAroundBlocks)('writes %i bytes as Node does in one piece', (length) => {
    const bytes = randomBytes(length);
    expect(encodeBase64(bytes).equals(Buffer.from(bytes.toString('base64')))).toBe(true);
  });
});

/** As where WebAssembly cannot start. */
async function loadWithoutWebAssembly(): Promise<typeof byWebAssembly> {
  vi.resetModules();
  vi.doMock(import('./base64-wasm.ts'), async (importOriginal) => ({
    ...(await importOriginal()),
    canDecodeGroups: false,
    decodeGroups: () => {
      throw new Error('it was asked although it cannot');
    },
  }));
  const byNode = await import('./base64.ts');
  expect((await import('./base64-wasm.ts')).canDecodeGroups).toBe(false);
  vi.doUnmock(import('./base64-wasm.ts'));
  return byNode;
}

describe.each([
  ['by WebAssembly', byWebAssembly],
  ['by Node', await loadWithoutWebAssembly()],
])('decoding %s', (_way, { decodeBase64, decodedLength, isBase64 }) => {
  test.each(lengthsAroundBlocks)('reads back what was written for %i bytes', (length) => {
    const bytes = randomBytes(length);
    const ascii = encodeBase64(bytes);
    expect(decodedLength(ascii)).toBe(length);
    expect(decodeBase64(ascii)?.equals(bytes)).toBe(true);
  });

  test.each([
    ['a lone character', 'A'],
    ['no padding', 'QQ'],
    ['half the padding', 'QQ='],
    ['padding alone', '===='],
    ['too much padding', 'Q==='],
    ['padding in the middle', 'QQ==QUJD'],
    ['padding before data', '=QUJ'],
    ['a space', 'QU D'],
    ['a line break', 'QUJD\nQUJ'],
    ['white space that keeps the length', 'QUJD\r\n  '],
    ['the URL-safe dash', 'QU-D'],
    ['the URL-safe underscore', 'QU_D'],
    ['punctuation', 'QU!D'],
    ['a NUL', 'QU\0D'],
    ['unused bits that are set', 'QR=='],
    ['unused bits that are set in the last of three', 'QUF='],
    ['a letter outside ASCII', 'QUéD'],
    ['a character that would wrap around to a valid one', '\u{1d5a0}'],
  ])('refuses %s', (_name, text) => {
    expect(decodeBase64(Buffer.from(text))).toBeNull();
  });

  test('finds one wrong byte anywhere in a long text', () => {
    const ascii = encodeBase64(randomBytes(2 * block + 10));
    for (const at of [0, 1, 16 * 1024 - 1, 16 * 1024, ascii.length - 1]) {
      const broken = Buffer.from(ascii);
      broken[at] = 0x20;
      expect(decodeBase64(broken), `at ${at}`).toBeNull();
    }
  });

  test('refuses padding between two blocks', () => {
    const ascii = Buffer.concat([
      encodeBase64(randomBytes(block - 1)),
      encodeBase64(randomBytes(3)),
    ]);
    expect(decodeBase64(ascii)).toBeNull();
    expect(isBase64(ascii)).toBe(false);
  });

  test('accepts exactly the texts that encoding writes', () => {
    const alphabet = fc.constantFrom(...'ABQZaz09+/=-_ \n!');
    const end = fc.array(alphabet, { maxLength: 16 }).map((characters) => characters.join(''));
    // Before it, what is decoded sixteen characters at a time, right or with one character of any kind.
    const groups = fc.nat(2).map((count) => 'QUJDREVGR0hJSktM'.repeat(count));
    const text = fc
      .tuple(groups, fc.option(alphabet, { nil: '' }), end)
      .map(
        ([before, one, after]) => `${before.slice(0, before.length - one.length)}${one}${after}`,
      );
    fc.assert(
      fc.property(text, (candidate) => {
        const decoded = decodeBase64(Buffer.from(candidate));
        const canonical = Buffer.from(candidate, 'base64').toString('base64') === candidate;
        expect(decoded !== null).toBe(canonical);
        expect(isBase64(Buffer.from(candidate))).toBe(canonical);
        if (decoded) expect(encodeBase64(decoded).toString()).toBe(candidate);
      }),
      { numRuns: 2000 },
    );
  });
});

describe('looking at what a text stands for', () => {
  test.each([...lengthsAroundBlocks, 100_000, 1_000_000])('shows its %i bytes', (length) => {
    const bytes = randomBytes(length);
    for (let times = 0; times < 3; times++) {
      expect(lookAtBase64(encodeBase64(bytes), (seen) => seen.equals(bytes))).toBe(true);
    }
  });

  test('shows nothing of what is no base64', () => {
    const look = (): never => {
      throw new Error('it was shown');
    };
    for (const text of ['QQ', 'QU D', '===='])
      expect(lookAtBase64(Buffer.from(text), look)).toBeNull();
  });

  test('leaves no memory behind for what is no base64', () => {
    using lent = new LentMemory();
    const ascii = encodeBase64(randomBytes(100_000));
    ascii.write('-', 50_000);
    expect(lookAtBase64(ascii, () => true)).toBeNull();
    expect(lent.times).toBe(1);
    expect(lent.left).toEqual([]);
  });

  test('may fail, and the next look is right', () => {
    const ascii = encodeBase64(randomBytes(100_000));
    const look = () => {
      throw new Error('of whoever looks');
    };
    expect(() => lookAtBase64(ascii, look)).toThrow('of whoever looks');
    expect(lookAtBase64(ascii, (seen) => encodeBase64(seen).equals(ascii))).toBe(true);
  });

  test('leaves nothing to keep', () => {
    const kept: Buffer[] = [];
    lookAtBase64(encodeBase64(randomBytes(100_000)), (seen) => kept.push(seen));
    expect(kept[0]).toHaveLength(0);
  });
});

test.each(['\n', '\r\n'])(
  'lines of the length that MIME allows are joined, which end in %j',
  (lineBreak) => {
    // The last of them does not end in one.
    const lines = [76, 76, 48].map((length) => 'A'.repeat(length));
    const ascii = Buffer.from(lines.join(lineBreak));
    expect(byWebAssembly.withoutLineBreaks(ascii).toString()).toBe('A'.repeat(200));
  },
);
