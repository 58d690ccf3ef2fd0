import type { Random } from '../storm/random.ts';

const deepLevels = 5_000;

const texts: readonly string[] = [
  '',
  ' ',
  '\0',
  '\ud800',
  '\u2028\u2029',
  '\r\n\r\nevent: error\ndata: {}\n\n',
  '__proto__',
  'constructor',
  '１０２４x１０２４',
  '1024X1024',
  'data:image/png;base64,',
  'data:image/svg+xml;base64,PHN2Zy8+',
  'http://127.0.0.1:1/',
  'file:///etc/passwd',
  '<script>alert(1)</script>',
  'a'.repeat(40_000),
  '1e400',
  'true',
];

const values: readonly unknown[] = [
  null,
  true,
  false,
  0,
  -1,
  1.5,
  1e21,
  2 ** 53,
  Number.MAX_VALUE,
  [],
  {},
  [[]],
  [null],
  { '': '' },
  { toString: 1, valueOf: 1, length: -1 },
  { file_id: 'file-1' },
];

const rawTricks: readonly ((text: string) => string)[] = [
  (text) => text.replace('{', '{"__proto__":{"n":10,"admin":true},'),
  (text) => text.replace('{', '{"model":"a","model":"b",'),
  (text) => text.replace(/:\s*"[^"]{0,40}"/, ': 1e400'),
  (text) => text.replace(/:\s*"[^"]{0,40}"/, `: ${'9'.repeat(5_000)}`),
  (text) => text.replace('{', `{"x":${'['.repeat(deepLevels)}${']'.repeat(deepLevels)},`),
  (text) => text.replace('{', `{${'"a":1,'.repeat(20_000)}`),
  (text) => `\ufeff${text}`,
  (text) => `${text}${text}`,
  (text) => `[${text}]`,
  (text) => text.replaceAll('"', "'"),
  (text) => text.replace('{', '{/* a */'),
  (text) => text.slice(0, -1),
  (text) => text.replace('"', '"\\ud800'),
  (text) => text.replace('"', '"\\u0000'),
];

/** JSON with one part of it replaced, missing, added, or written in a way that JSON has not. */
export function mutateJson(text: string, random: Random): string {
  if (random.chance(0.3)) return pick(rawTricks, random)(text);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return pick(rawTricks, random)(text);
  }
  return JSON.stringify(changed(value, random)) ?? 'null';
}

function changed(value: unknown, random: Random): unknown {
  const isContainer = typeof value === 'object' && value !== null;
  if (!isContainer || random.chance(0.2)) return foreign(random);
  if (Array.isArray(value)) {
    const items: unknown[] = value;
    if (items.length === 0 || random.chance(0.2)) return [...items, foreign(random)];
    const at = random.whole(0, items.length - 1);
    return items.map((item, index) => (index === at ? changed(item, random) : item));
  }
  const entries = Object.entries(value);
  const [name = ''] = entries.length > 0 ? pick(entries, random) : [];
  return random.weighted<() => unknown>([
    [
      5,
      () =>
        Object.fromEntries(
          entries.map(([key, item]) => [key, key === name ? changed(item, random) : item]),
        ),
    ],
    [1, () => Object.fromEntries(entries.filter(([key]) => key !== name))],
    [1, () => Object.fromEntries([...entries, [pick(texts, random), foreign(random)]])],
  ])();
}

function foreign(random: Random): unknown {
  return random.chance(0.5) ? pick(texts, random) : pick(values, random);
}

export function pick<T>(choices: readonly T[], random: Random): T {
  return random.weighted(choices.map((choice) => [1, choice] as const));
}
