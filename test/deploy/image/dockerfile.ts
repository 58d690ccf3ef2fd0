/** Reads a Dockerfile as far as ours goes: an instruction that nothing here knows is an error. */
import { matchesGlob } from 'node:path';

export interface Stage {
  /** Its own name; the last stage has none. */
  name: string | null;
  /** Image that it begins with. */
  base: string;
  steps: readonly Step[];
}

export type Step =
  | { kind: 'workdir'; folder: string }
  | { kind: 'copy'; from: string | null; sources: readonly string[]; target: string }
  | { kind: 'run'; command: string }
  | { kind: 'env'; values: Readonly<Record<string, string>> }
  | { kind: 'user'; user: string }
  | { kind: 'healthcheck'; command: readonly string[] }
  | { kind: 'entrypoint' | 'cmd'; command: readonly string[] }
  /** Says something of the image, and does nothing while it is built. */
  | { kind: 'note' };

const notes = ['VOLUME', 'EXPOSE', 'STOPSIGNAL'];

export function readDockerfile(text: string): readonly Stage[] {
  const values = new Map<string, string>();
  const stages: { name: string | null; base: string; steps: Step[] }[] = [];
  for (const line of instructionsOf(text)) {
    const [, word = '', rest = ''] = /^([A-Z]+)\s+(.*)$/s.exec(line) ?? [];
    if (word === 'ARG') {
      const [name = '', value = ''] = rest.split('=', 2);
      values.set(name, value);
    } else if (word === 'FROM') {
      const [base = '', , name = null] = rest.split(/\s+/);
      stages.push({ base: withValues(base, values), name, steps: [] });
    } else {
      const stage = stages.at(-1);
      if (!stage) throw new Error(`before the first FROM: ${line}`);
      stage.steps.push(readStep(word, rest));
    }
  }
  return stages;
}

/** Without comments, each on one line. */
function instructionsOf(text: string): readonly string[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('#'));
  return lines
    .join('\n')
    .replaceAll(/\\\n\s*/g, '')
    .split('\n');
}

function withValues(text: string, values: ReadonlyMap<string, string>): string {
  return text.replaceAll(/\$\{(\w+)\}/g, (_all, name: string) => values.get(name) ?? '');
}

function readStep(word: string, rest: string): Step {
  if (notes.includes(word)) return { kind: 'note' };
  switch (word) {
    case 'WORKDIR':
      return { kind: 'workdir', folder: rest };
    case 'COPY':
      return readCopy(rest);
    case 'RUN':
      return { kind: 'run', command: rest };
    case 'ENV':
      return { kind: 'env', values: Object.fromEntries(rest.split(/\s+/).map(readPair)) };
    case 'USER':
      return { kind: 'user', user: rest };
    case 'HEALTHCHECK':
      return { kind: 'healthcheck', command: readList(rest.slice(rest.indexOf('CMD ') + 4)) };
    case 'ENTRYPOINT':
    case 'CMD':
      return { kind: word === 'CMD' ? 'cmd' : 'entrypoint', command: readList(rest) };
    default:
      throw new Error(`unknown instruction: ${word} ${rest}`);
  }
}

function readCopy(rest: string): Step {
  const words = rest.split(/\s+/);
  const from = words[0]?.startsWith('--from=') ? words[0].slice('--from='.length) : null;
  const paths = from === null ? words : words.slice(1);
  return { kind: 'copy', from, sources: paths.slice(0, -1), target: paths.at(-1) ?? '' };
}

function readPair(pair: string): [string, string] {
  const [name = '', value = ''] = pair.split('=', 2);
  return [name, value];
}

function readList(text: string): readonly string[] {
  const list: unknown = JSON.parse(text);
  if (Array.isArray(list) && list.every((word) => typeof word === 'string')) return list;
  throw new Error(`not a list of words: ${text}`);
}

/**
 * Whether a file of the build context is left out. The last line that fits decides, and a line for
 * a folder goes for all that is in it.
 *
 * @param path from the root of the context
 */
export function isIgnored(path: string, ignoreFile: string): boolean {
  let ignored = false;
  for (const line of ignoreFile.split('\n').filter((each) => each.trim() !== '')) {
    const isException = line.startsWith('!');
    const pattern = isException ? line.slice(1) : line;
    if (matchesGlob(path, pattern) || matchesGlob(path, `${pattern}/**`)) ignored = !isException;
  }
  return ignored;
}
