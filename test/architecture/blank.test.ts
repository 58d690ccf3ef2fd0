import { expect, it } from 'vitest';
import { blank } from './blank.ts';

it.each([
  ['a line comment', 'a // b\nc', 'a     \nc'],
  ['a block comment', 'a /* b\nc */ d', 'a     \n     d'],
  ['a comment sign in a string', `'http://x' + y`, `'        ' + y`],
  ['an escaped quote', String.raw`'a\'b' + c`, `'    ' + c`],
  ['a template', '`a b` + c', '`   ` + c'],
  ['code within a template', '`a ${b} c` + d', '`   {b}  ` + d'],
  ['an object within a template', '`${f({ a: 1 })}x` + c', '` {f({ a: 1 })} ` + c'],
  ['a regular expression', String.raw`x = /['"]\/[/]/.test(y)`, `x = /         /.test(y)`],
  ['a division', 'a / b / c', 'a / b / c'],
])('blanks what is not code and keeps every place: %s', (_what, text, expected) => {
  expect(blank(text).codeOnly).toBe(expected);
});

it('keeps strings where only comments are to go', () => {
  expect(blank(`from './a.ts'; // b`).withoutComments).toBe(`from './a.ts';     `);
});
