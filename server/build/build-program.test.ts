/** What `npm run build` makes of the service, in a copy of the project, and when it is what runs. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  cpSync,
  existsSync,
  globSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { projectRoot } from '../../bin/built-program.js';

const copied = ['bin', 'server', 'shared', 'web/build', 'package.json', 'package-lock.json'];
const timeoutMs = 120_000;

let project: string;

beforeAll(() => {
  project = mkdtempSync(join(tmpdir(), 'tintype-built-'));
  for (const path of copied) {
    cpSync(join(projectRoot, path), join(project, path), { recursive: true });
  }
  symlinkSync(join(projectRoot, 'node_modules'), join(project, 'node_modules'));
  rmSync(join(project, 'server/dist'), { recursive: true, force: true });
  const { code, err } = run('server/build/main.ts');
  if (code !== 0) throw new Error(err);
}, timeoutMs);

afterAll(() => rmSync(project, { recursive: true, force: true }));

describe('the built program', { timeout: timeoutMs }, () => {
  it('makes a picture, and its books are right', async () => {
    const demo = start('demo', '--json');
    const { picture } = await firstLine(demo);
    expect(readFileSync(String(picture)).subarray(1, 4).toString()).toBe('PNG');
    demo.kill('SIGTERM');
    expect(await once(demo, 'exit')).toEqual([0, null]);
    expect(tintype('verify').out).toMatch(/^The books are right/m);
  });

  it('finds the files beside its sources, and its workers and its thread beside itself', () => {
    const folder = join(project, 'server/dist');
    const files = globSync('*.js', { cwd: folder }).map((name) => join(folder, name));
    const text = files.map((file) => readFileSync(file, 'utf8')).join('\n');
    const addressed = /new URL\("([^"]*)", import\.meta\.url\)/g;
    const addresses = [...text.matchAll(addressed)].map(([, address]) => String(address)).sort();
    expect(addresses).toEqual([
      '../..',
      '../../package.json',
      '../../web/build/main.ts',
      '../lib/pictures/decode-base64.wasm',
      './reader-thread.js',
      './serve-worker.js',
    ]);
    for (const address of addresses) expect(existsSync(join(folder, address))).toBe(true);
  });
});

describe('what runs', () => {
  const marker = 'this is the built one\n';

  beforeAll(() => {
    const file = join(project, 'server/dist/main.js');
    writeFileSync(
      file,
      `process.stderr.write(${JSON.stringify(marker)});\n${readFileSync(file, 'utf8')}`,
    );
  });

  it('is the built program', () => {
    expect(tintype('--version').err).toBe(marker);
  });

  it.each(['server/wallets/wallet.ts', 'shared/money.ts', 'package-lock.json'])(
    'is the sources once %s is another',
    (path) => {
      change(path);
      expect(tintype('--version')).toMatchObject({ code: 0, err: '' });
    },
  );

  it('is the built program still where only a test is another', () => {
    change('server/config.test.ts');
    expect(tintype('--version').err).toBe(marker);
  });

  it('is built anew beside what an editor left', () => {
    change('server/config.ts~');
    expect(run('server/build/main.ts')).toEqual({
      code: 0,
      out: 'The program is built.\n',
      err: '',
    });
    expect(tintype('--version')).toMatchObject({ code: 0, err: '' });
  });

  it('is not built with a source that asks where it is itself', () => {
    const place = '\nexport const place = import.meta.url;\n';
    change('server/lib/version.ts', place);
    expect(run('server/build/main.ts')).toMatchObject({
      code: 1,
      err: expect.stringContaining('version.ts would be told where it is built'),
    });
    expect(tintype('--version')).toMatchObject({ code: 0, err: '' });
  });
});

/** Until the test is over. */
function change(path: string, added = '\n'): void {
  const file = join(project, path);
  const before = existsSync(file) ? readFileSync(file) : null;
  appendFileSync(file, added);
  onTestFinished(() => (before ? writeFileSync(file, before) : rmSync(file)));
}

function tintype(...words: readonly string[]) {
  return run('bin/tintype.js', ...words);
}

function run(...words: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, words, {
    cwd: project,
    env: environment(),
    encoding: 'utf8',
  });
  return { code: status, out: stdout, err: stderr };
}

/** It is killed after the test, if it lives. */
function start(...words: readonly string[]): ChildProcess {
  const child = spawn(process.execPath, ['bin/tintype.js', ...words], {
    cwd: project,
    env: environment(),
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

function environment(): NodeJS.ProcessEnv {
  return { PATH: process.env['PATH'], TINTYPE_PORT: '0', TINTYPE_DATA_DIR: join(project, 'data') };
}

async function firstLine(child: ChildProcess): Promise<Record<string, unknown>> {
  if (!child.stdout) throw new Error('its output is not read');
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  // It writes one line of JSON.
  return JSON.parse(line) as Record<string, unknown>;
}
