/** `docs/operating.md` names every line of the log: it is where somebody looks who found one at night. */
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { cellsOf } from './document-tables.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const document = readFileSync(`${root}docs/operating.md`, 'utf8');
const source = globSync('server/**/*.ts', { cwd: root })
  .filter((file) => !file.endsWith('.test.ts'))
  .map((file) => readFileSync(`${root}${file}`, 'utf8'))
  .join('\n');
const documented = cellsOf(document, 'log lines').flatMap(([, messages = '']) =>
  [...messages.matchAll(/`([^`]+)`/g)].map(([, message = '']) => message),
);

it('every message that the code logs is named, once', () => {
  const logged = messagesIn(source);
  expect(logged.size).toBeGreaterThan(40);
  expect([...logged].filter((message) => !documented.includes(message))).toEqual([]);
  expect(new Set(documented).size).toBe(documented.length);
});

it('no message is named that the code has not', () => {
  expect(documented.filter((message) => !source.includes(`'${message}'`))).toEqual([]);
});

it.each([
  ["log.warn({ a: f(1) }, 'two words');", ['two words']],
  ["log.info(\n  call,\n  'request',\n);", ['request']],
  ["this.#log.error(x, y === 'up' ? 'one way' : 'or another')", ['one way', 'or another']],
  ["log.info(about, 'sent');\nother(about, 'not logged');", ['sent']],
])('messages are found in %j', (text, messages) => {
  expect([...messagesIn(text)]).toEqual(messages);
});

/** Texts of several words anywhere in a call of the log, and its last argument where that is a text. */
function messagesIn(text: string): Set<string> {
  const calls = [...text.matchAll(/\blog\.(?:debug|info|warn|error)\(/g)];
  return new Set(
    calls.flatMap(({ index, 0: begin }) => {
      const args = argumentsAt(text, index + begin.length);
      const [, last] = /'([^']+)',?\s*$/.exec(args) ?? [];
      const texts = [...args.matchAll(/'([^']*)'/g)].map(([, each = '']) => each);
      return texts.filter((each) => each.includes(' ') || each === last);
    }),
  );
}

/** What stands between the parenthesis before this place and the one that closes it. */
function argumentsAt(text: string, start: number): string {
  let open = 1;
  let end = start;
  for (; open > 0 && end < text.length; end++) {
    if (text[end] === '(') open++;
    if (text[end] === ')') open--;
  }
  return text.slice(start, end - 1);
}
