import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { coveredThreats } from './covered-threats.ts';
import { upstreamKinds } from './upstream-kinds.ts';

const root = new URL('../../', import.meta.url);

test.each(coveredThreats)('$family: $threat', ({ file, tests }) => {
  const path = fileURLToPath(new URL(file, root));
  expect(existsSync(path)).toBe(true);
  const text = readFileSync(path, 'utf8');
  expect(tests.filter((name) => !text.includes(name))).toEqual([]);
});

test('no two upstreams misbehave by the same name', () => {
  const names = upstreamKinds.map(({ family, name }) => `${family}: ${name}`);
  expect(names.length).toBe(new Set(names).size);
});

test('docs/hostile-input.md names every family', () => {
  const text = readFileSync(fileURLToPath(new URL('docs/hostile-input.md', root)), 'utf8');
  const families = new Set(coveredThreats.map(({ family }) => family));
  const missing = [...families].filter(
    (family) => !text.toLowerCase().includes(`| ${family.toLowerCase()} |`),
  );
  expect(missing).toEqual([]);
});
