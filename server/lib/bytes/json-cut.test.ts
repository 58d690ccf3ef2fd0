import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type CutJson, type CutLimits, CutString, parseCutJson } from './json-cut.ts';

const generous = { depthMax: 32, restBytesMax: 10_000_000 };
const cutAt10 = { ...generous, stringBytesMax: 10 };
const long = 'abcdefghijk';

function parse(document: string | Buffer, limits: CutLimits = cutAt10): CutJson {
  return parseCutJson(typeof document === 'string' ? Buffer.from(document) : document, limits);
}

describe('long strings', () => {
  test('are cut out where they are longer than the limit', () => {
    expect(parse('{"a": "abcdefghij", "b": ["abcdefghijk", 1]}')).toEqual({
      kind: 'value',
      value: { a: 'abcdefghij', b: [new CutString(Buffer.from(long)), 1] },
    });
  });

  test('are views of the document, not copies', () => {
    const bytes = Buffer.from(`["${long}"]`);
    const [view] = valueOf(parse(bytes)) as [CutString];
    expect(view.bytes.toString()).toBe(long);
    expect(view.bytes.buffer).toBe(bytes.buffer);
  });

  test('may be the whole document', () => {
    expect(valueOf(parse(`"${long}"`))).toBeInstanceOf(CutString);
  });

  test('of 32 KiB are still text by default', () => {
    const text = 'x'.repeat(32 * 1024);
    expect(valueOf(parse(`"${text}"`, generous))).toBe(text);
    expect(valueOf(parse(`"${text}x"`, generous))).toBeInstanceOf(CutString);
  });

  test.each([
    ['has a letter outside ASCII', `"${long}é"`],
    ['has a line break written as an escape', `"${long}\\n"`],
    ['has an escape outside ASCII', `"${long}\\u00e9"`],
    ['has an escape of half a pair', `"${long}\\ud83d"`],
  ])('stay text when one %s', (_name, document) => {
    expect(valueOf(parse(document))).toBe(JSON.parse(document));
  });

  test('are looked through for what JSON forbids, unless somebody else does it', () => {
    const document = `["${long}\n", "${long}"]`;
    expect(parse(document)).toEqual({ kind: 'broken', reason: 'not_json' });
    const left = valueOf(parse(document, { ...cutAt10, longStringsAreChecked: true }));
    const [first, second] = left as [CutString, CutString];
    expect(first.bytes.toString()).toBe(`${long}\n`);
    expect(second.bytes.toString()).toBe(long);
    // In what is no picture it is looked for all the same.
    const short = parse('["\n"]', { ...cutAt10, longStringsAreChecked: true });
    expect(short).toEqual({ kind: 'broken', reason: 'not_json' });
  });

  test('may have line breaks written as escapes where somebody else looks, unless there are words', () => {
    const document = `["abcdefghij\\r\\nk\\n", "abcdef\\n ghijk", "abcdefghij\\t"]`;
    const left = valueOf(parse(document, { ...cutAt10, longStringsAreChecked: true }));
    const [first, ...others] = left as [CutString, string, string];
    expect(first.bytes.toString()).toBe('abcdefghij\r\nk\n');
    expect(others).toEqual(['abcdef\n ghijk', 'abcdefghij\t']);
  });

  test.each(['\\/', '\\"', '\\\\', 'é', '\\u00e9'])(
    'are looked through to their end for %s',
    (odd) => {
      // Around the edges of the pieces in which they are looked through.
      for (const before of [0, 131_068, 131_069, 131_070, 131_071, 131_072, 131_073]) {
        for (const after of [0, 1, 140_000]) {
          const text = `"${'a'.repeat(before)}${odd}${'b'.repeat(after)}"`;
          const value = valueOf(parse(`[${text}, 1]`, { ...generous, stringBytesMax: 0 }));
          const [read] = value as [CutString | string];
          expect(read instanceof CutString).toBe(odd === '\\/');
          const characters = read instanceof CutString ? read.bytes.toString() : read;
          expect(characters).toBe(JSON.parse(text));
        }
      }
    },
  );

  test('stay text when they are member names', () => {
    expect(valueOf(parse(`{"${long}" \n: 1}`))).toEqual({ [long]: 1 });
  });

  test.each([
    ['PHP', `data:image\\/png;base64,AB\\/C`],
    ['.NET', `data:image/png;base64,AB\\u002BC`],
    ['Gson', `data:image/png;base64,ABC\\u003d`],
  ])('are cut out with the escapes that %s writes', (_name, inside) => {
    const cut = valueOf(parse(`["${inside}"]`)) as [CutString];
    expect(cut[0]).toBeInstanceOf(CutString);
    expect(cut[0].bytes.toString()).toBe(JSON.parse(`"${inside}"`));
  });

  test('are cut out with escapes that stand side by side and far apart', () => {
    const gaps = Array.from({ length: 140 }, (_, gap) => 'a'.repeat(gap));
    const inside = ['\\/', '\\u002B', '\\u003d'].map((escape) => gaps.join(escape)).join('');
    const cut = valueOf(parse(`["${inside}"]`)) as [CutString];
    expect(cut[0]).toBeInstanceOf(CutString);
    expect(cut[0].bytes.toString()).toBe(JSON.parse(`"${inside}"`));
  });

  test.each(['\\u0080', '\\u0100', '\\u1000', '\\b'])(
    'stay text with %s, which base64 has no use for',
    (odd) => {
      expect(valueOf(parse(`["${long}${odd}"]`))).toEqual(JSON.parse(`["${long}${odd}"]`));
    },
  );

  test('replace a member called __proto__ without touching any prototype', () => {
    const value = valueOf(parse(`{"__proto__": "${long}", "a": {"__proto__": ["${long}"]}}`));
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(Object.getOwnPropertyDescriptor(value, '__proto__')?.value).toBeInstanceOf(CutString);
    expect(({} as { bytes?: unknown }).bytes).toBeUndefined();
  });
});

describe('broken documents', () => {
  test.each([
    ['nothing', ''],
    ['white space', '  '],
    ['a bare word', 'hello'],
    ['an open string', '{"a": "b'],
    ['a quote that is escaped away', '["abc\\"]'],
    ['a trailing comma', '[1,]'],
    ['two values', '{} {}'],
    ['single quotes', "{'a': 1}"],
    ['a comment', '{} // no'],
    ['NaN', '[NaN]'],
    ['a raw line break in a long string', `["${long}\n"]`],
    ['a raw NUL in a long string', `["${long}\0"]`],
    ['an unknown escape in a long string', `["${long}\\x41"]`],
    ['an unfinished escape in a long string', `["${long}\\u00"]`],
    ['an escape without its last digit', `["${long}\\u001"]`],
    ['an escape with a letter that is no digit', `["${long}\\u00g1"]`],
    ['an escape with a capital U', `["${long}\\U0041"]`],
    ['a string in front of a string', `["${long}" "${long}"]`],
    ['a long string for a member name without a value', `{"${long}"}`],
    ['closing what is not open', ']]]'],
    ['UTF-16', Buffer.from('{"a":1}', 'utf16le')],
  ])('are told: %s', (_name, document) => {
    expect(parse(document)).toEqual({ kind: 'broken', reason: 'not_json' });
  });

  test.each([
    ['a lone continuation byte', Buffer.from([0x22, 0x80, 0x22])],
    ['an overlong slash', Buffer.from([0x22, 0xc0, 0xaf, 0x22])],
    ['half a surrogate pair', Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22])],
    [
      'a bad byte in a long string',
      Buffer.concat([Buffer.from(`"${long}`), Buffer.from([0xff, 0x22])]),
    ],
  ])('are told: %s', (_name, document) => {
    expect(parse(document)).toEqual({ kind: 'broken', reason: 'not_utf8' });
  });

  test('are told: too deep, on either side of the limit and far beyond', () => {
    const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
    expect(parse(nested(32))).toMatchObject({ kind: 'value' });
    expect(parse(nested(33))).toEqual({ kind: 'broken', reason: 'too_deep' });
    expect(parse('['.repeat(1_000_000))).toEqual({ kind: 'broken', reason: 'too_deep' });
    expect(parse('{"a":'.repeat(40))).toEqual({ kind: 'broken', reason: 'too_deep' });
    expect(parse(`["${'['.repeat(100)}"]`)).toMatchObject({ kind: 'value' });
  });

  test('are told: too long, counting only what is not cut out', () => {
    const limits = { depthMax: 32, restBytesMax: 100, stringBytesMax: 10 };
    expect(parse(`["${'x'.repeat(5000)}"]`, limits)).toMatchObject({ kind: 'value' });
    expect(parse(`[${' '.repeat(98)}]`, limits)).toMatchObject({ kind: 'value' });
    expect(parse(`[${' '.repeat(99)}]`, limits)).toEqual({ kind: 'broken', reason: 'too_long' });
    expect(parse(`["${'é'.repeat(99)}"]`, limits)).toMatchObject({ reason: 'too_long' });
  });

  test.each([
    ['short strings', '"",'.repeat(34).concat('"open')],
    ['numbers', '1,'.repeat(51).concat('"open')],
    ['a string with quotes in it', `"${'\\"'.repeat(60)}`],
  ])(
    'are told: too long, by %s, before what is wrong behind that is looked for',
    (_what, begin) => {
      const limits = { depthMax: 32, restBytesMax: 100, stringBytesMax: 10 };
      expect(parse(`[${begin}`, limits)).toEqual({ kind: 'broken', reason: 'too_long' });
    },
  );
});

test('a byte order mark in front is not part of the document', () => {
  expect(valueOf(parse('\ufeff{"a":1}'))).toEqual({ a: 1 });
});

test('cutting and putting back gives what JSON.parse gives', () => {
  const document = fc
    .tuple(
      fc.json({ maxDepth: 5 }),
      fc.json({ stringUnit: 'binary' }),
      fc.constantFrom('', ' ', '\n'),
    )
    .map(([a, b, space]) => `{"a":${space}${a},${space}"${'b'.repeat(9)}":${b}${space}}`);
  fc.assert(
    fc.property(document, fc.integer({ min: 0, max: 6 }), (text, stringBytesMax) => {
      const parsed = parseCutJson(Buffer.from(text), { ...generous, stringBytesMax });
      expect(parsed.kind).toBe('value');
      expect(putBack(valueOf(parsed))).toEqual(JSON.parse(text));
    }),
    { numRuns: 1000 },
  );
});

test('whatever JSON.parse refuses is refused, and nothing else', () => {
  const fragment = fc.constantFrom(
    ...['"', '\\', '{', '}', '[', ']', ':', ',', '"abc"', '\\"', '\\/', '\\u0041', '\\u00', '\n'],
    ...['1', 'true', ' ', 'é', '"abcdef":', '"\\\\"', '/'],
  );
  const document = fc.array(fragment, { maxLength: 12 }).map((parts) => parts.join(''));
  fc.assert(
    fc.property(document, (text) => {
      const parsed = parseCutJson(Buffer.from(text), { ...generous, stringBytesMax: 2 });
      const expected = tryParse(text);
      expect(parsed.kind).toBe(expected === undefined ? 'broken' : 'value');
      if (expected) expect(putBack(valueOf(parsed))).toEqual(expected.value);
    }),
    { numRuns: 20_000 },
  );
});

function valueOf(parsed: CutJson): unknown {
  if (parsed.kind === 'broken') throw new Error(`broken: ${parsed.reason}`);
  return parsed.value;
}

function tryParse(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

function putBack(value: unknown): unknown {
  if (value instanceof CutString) return value.bytes.toString('latin1');
  if (Array.isArray(value)) return value.map(putBack);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([name, member]) => [name, putBack(member)]);
  return Object.fromEntries(members);
}
