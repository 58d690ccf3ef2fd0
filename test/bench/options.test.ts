import { expect, it } from 'vitest';
import { cases, gatewayNames } from '../../bench/gateway/cases.ts';
import { helpText, readOptions } from '../../bench/gateway/options.ts';

it('measures everything unless told otherwise', () => {
  const options = readOptions([]);
  expect(options.cases).toEqual(cases);
  expect(options.gateways).toEqual(gatewayNames);
  expect(readOptions(['--write']).write).toBe(true);
});

it('takes cases by their names and by their groups', () => {
  const { cases: taken } = readOptions(['--cases', 'latency,s4m']);
  expect(taken.map(({ name }) => name)).toEqual(['s4m', 'lat50k', 'lat4m']);
});

it('takes a part of them in a quick run, unless cases are named', () => {
  expect(readOptions(['--quick']).cases.length).toBeLessThan(cases.length / 2);
  expect(readOptions(['--quick', '--cases', 's16m']).cases).toHaveLength(1);
});

it('names every case in its help', () => {
  const words = helpText.split(/\s+/);
  for (const { name } of cases) expect(words).toContain(name);
});

it.each([
  ['an unknown case', ['--cases', 's5k'], 'there is no case s5k'],
  ['an unknown gateway', ['--gateways', 'haproxy'], 'not haproxy'],
  ['no round', ['--rounds', '0'], '--rounds must be a whole number from 1 to 99'],
  ['too many rounds', ['--rounds', '100'], '--rounds must be a whole number from 1 to 99'],
  ['no time', ['--milliseconds', '0'], '--milliseconds must be a whole number from 1 to 60000'],
  ['too much time', ['--milliseconds', '60001'], '--milliseconds must be a whole number from 1'],
  ['results of a quick run in place of all', ['--write', '--quick'], '--write needs a whole run'],
  ['results of some cases', ['--write', '--cases', 's4m'], '--write needs a whole run'],
  ['results of some gateways', ['--write', '--gateways', 'nginx'], '--write needs a whole run'],
  ['an unknown option', ['--fast'], '--fast'],
])('refuses %s', (_what, args, message) => {
  expect(() => readOptions(args)).toThrow(message);
});
