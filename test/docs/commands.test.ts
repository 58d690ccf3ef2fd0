/** The commands that documents show exist, with the options that they are given. `upstreams.test.ts` also runs its own. */
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { buildProgram } from '../../server/cli/main.ts';
import { shellExamples } from './shell-examples.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const nowhere = { out() {}, err() {}, input: async () => '', environment: {} };
const program = buildProgram(nowhere);

const examples = globSync(['*.md', 'docs/**/*.md'], { cwd: root }).flatMap((path) => {
  const document = readFileSync(`${root}${path}`, 'utf8').replaceAll('npx tintype ', 'tintype ');
  // As if those in a sentence stood in a block too.
  const inline = [...document.matchAll(/`(tintype [^`\n]+)`/g)].map(([, line]) => line);
  const all = `${document}\n\`\`\`sh\n${inline.join('\n')}\n\`\`\`\n`;
  return shellExamples(all, 'tintype').map((example) => ({ path, ...example }));
});

it('every command in a document exists, with its options', () => {
  expect(examples.length).toBeGreaterThan(100);
  const wrong = examples.flatMap(({ path, line, words }) => {
    const problem = problemOf(words);
    return problem === null ? [] : [`${path}: ${problem}: ${line}`];
  });
  expect(wrong).toEqual([]);
});

describe('it is noticed of', () => {
  it.each([
    ['an unknown command', 'fetch', 'no command fetch'],
    ['an unknown part of a command', 'models buy gen-image-2', 'no command models buy'],
    ['an unknown option', 'models price gen-image-2 0.04 --currency EUR', 'no option --currency'],
  ])('%s', (_what, line, problem) => {
    expect(problemOf(line.split(' '))).toBe(problem);
  });
});

/** Null where there is none. */
function problemOf(words: readonly string[]): string | null {
  let command: Command = program;
  const path: string[] = [];
  const known = new Set(['--help', '--version', '-V', ...flagsOf(program)]);
  const rest = [...words];
  for (let below = childOf(command, rest[0]); below; below = childOf(command, rest[0])) {
    path.push(rest.shift() ?? '');
    command = below;
    for (const flag of flagsOf(command)) known.add(flag);
    // One that does something by itself has a command below that is meant where none is named.
    for (const child of rest[0]?.startsWith('-') ? command.commands : []) {
      for (const flag of flagsOf(child)) known.add(flag);
    }
  }
  const isGroup = command.commands.length > 0;
  // Anything else stands for what the reader puts there: `<command>`.
  if (isGroup && rest[0] !== undefined && /^[a-z]/.test(rest[0])) {
    return `no command ${[...path, rest[0]].join(' ')}`;
  }
  const unknown = rest.map((word) => word.replace(/=.*/, '')).find((word) => isFlag(word, known));
  return unknown === undefined ? null : `no option ${unknown}`;
}

function isFlag(word: string, known: ReadonlySet<string>): boolean {
  return /^--?[a-z]/i.test(word) && !known.has(word);
}

function childOf(command: Command, name: string | undefined): Command | undefined {
  return command.commands.find((each) => each.name() === name);
}

function flagsOf(command: Command): readonly string[] {
  return command.options.flatMap(({ long, short }) => [long ?? [], short ?? []].flat());
}
