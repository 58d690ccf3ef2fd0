import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { makeScratchFolder } from '../../test/support/scratch.ts';
import { assignAll, readAssignment, removeAll, valuesOf } from './assignments.ts';

it.each<[string, string, unknown]>([
  ['a text', 'style=ink and wash', 'ink and wash'],
  ['a text with an equals sign', 'query=a=b', 'a=b'],
  ['nothing', 'style=', ''],
  ['a number', 'steps=30', 30],
  ['a number as text', 'steps="30"', '30'],
  ['a flag', 'on=true', true],
  ['null', 'size=null', null],
  ['an object', 'slots={"prompt": {"node": "6"}}', { prompt: { node: '6' } }],
  ['a text that begins like a file', 'at="@home"', '@home'],
])('reads %s', (_what, text, value) => {
  const [assignment] = readAssignment(text, []);
  expect(assignment?.value).toEqual(value);
});

it.each([
  ['flow.json', '{"6": {"inputs": {}}}\n', { 6: { inputs: {} } }],
  ['flow.txt', '{"6": 1}', { 6: 1 }],
  ['words.txt', 'ink and wash\n', 'ink and wash'],
])('reads the value from the file %s', (name, content, value) => {
  const file = makeFile(name, content);
  expect(readAssignment(`x=@${file}`, [])).toEqual([{ name: 'x', value }]);
});

it('does not take a broken JSON file for a text', () => {
  const file = makeFile('flow.json', '{"6": ');
  expect(() => readAssignment(`x=@${file}`, [])).toThrow('flow.json is not JSON.');
});

it.each(['x', '=1', 'a b=1'])('refuses %j, which assigns nothing', (text) => {
  expect(() => readAssignment(text, [])).toThrow('It must be name=value.');
});

it('keeps those read before; the last of a name wins', () => {
  const read = ['a=1', 'b.c=2', 'a=3'].reduce(
    (before, text) => readAssignment(text, before),
    readAssignment('z=0', []),
  );
  expect(valuesOf(read)).toEqual({ z: 0, a: 3, 'b.c': 2 });
  expect(assignAll({}, read)).toEqual({ z: 0, a: 3, b: { c: 2 } });
});

it('follows dots into objects, made where there are none, and keeps what else is there', () => {
  const before = { steps: { low: 8 }, on: true };
  const assignments = [
    { name: 'steps.high', value: 30 },
    { name: 'workflows.paint.output', value: 9 },
  ];
  expect(assignAll(before, assignments)).toEqual({
    steps: { low: 8, high: 30 },
    on: true,
    workflows: { paint: { output: 9 } },
  });
  expect(before).toEqual({ steps: { low: 8 }, on: true });
});

it('does not follow a name into what every object has', () => {
  const result = assignAll({}, [{ name: '__proto__.polluted', value: true }]);
  expect(Object.hasOwn(result, '__proto__')).toBe(true);
  expect('polluted' in {}).toBe(false);
});

it.each([
  ['steps.low', 'steps is no object'],
  ['list.0', 'list is no object'],
  ['.a', 'something on both sides of each dot'],
  ['a..b', 'something on both sides of each dot'],
])('refuses to assign %s', (name, message) => {
  const before = { steps: 8, list: [1] };
  expect(() => assignAll(before, [{ name, value: 1 }])).toThrow(message);
});

it('removes what is named', () => {
  const before = { a: 1, steps: { low: 8, high: 30 } };
  expect(removeAll(before, ['a', 'steps.low'])).toEqual({ steps: { high: 30 } });
});

it.each([
  ['b', 'there is no setting b to remove'],
  ['steps.max', 'there is no setting max to remove'],
  ['a.b', 'a is no object'],
])('refuses to remove %s', (name, message) => {
  expect(() => removeAll({ a: 1, steps: { low: 8 } }, [name])).toThrow(message);
});

function makeFile(name: string, content: string): string {
  const folder = makeScratchFolder('assignments');
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, name);
  writeFileSync(file, content);
  return file;
}
