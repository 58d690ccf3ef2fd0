/** `bin/tintype.js` as a user starts it: a process of its own. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';

const launcher = fileURLToPath(new URL('../../bin/tintype.js', import.meta.url));

const pretendOld = pretend('20.20.2');

/** As Node 22 begins another program, whose environment is empty where none is given. */
const leavingEnvironmentOut = preload(
  'const { execve } = process; process.execve = (file, args, env = {}) => execve(file, args, env)',
);

describe.each([
  ['a Node that is new enough', []],
  ['an old Node, beside the one that npm installed', pretendOld],
])('on %s', (_what, nodeArgs) => {
  it('runs the command', async () => {
    const result = await run([...nodeArgs, launcher, '--version']);
    expect(result).toEqual({ code: 0, out: expect.stringMatching(/^\d+\.\d+\.\d+\n$/), err: '' });
  });

  it('passes the exit code and the error on', async () => {
    const result = await run([...nodeArgs, launcher, 'nonsense']);
    expect(result).toEqual({
      code: 2,
      out: '',
      err: expect.stringMatching(/^error: unknown command/),
    });
  });

  it.each(['SIGTERM', 'SIGHUP'] as const)(
    'stops the service in good order on %s',
    async (signal) => {
      const service = await startService(nodeArgs);
      service.kill(signal);
      expect(await once(service, 'exit')).toEqual([0, null]);
    },
  );

  it('dies of what the command died of', async () => {
    const service = await startService(nodeArgs);
    service.kill('SIGQUIT');
    expect(await once(service, 'exit')).toEqual([null, 'SIGQUIT']);
  });
});

describe('as the first process of a container', {
  skip: spawnSync('unshare', ['--pid', '--fork', 'true']).status !== 0,
  meta: { skippedBecause: 'only root may begin a space of processes, and not on every machine' },
}, () => {
  it.each([
    ['SIGTERM', 143],
    ['SIGINT', 130],
  ] as const)('a command ends at %s', async (signal, code) => {
    // It waits for the address.
    expect(await endFirst(['migrate-to', '-'], signal)).toBe(code);
  });

  /** Sends it until it is heard, for the first one may come before our program begins. */
  async function endFirst(args: readonly string[], signal: NodeJS.Signals): Promise<unknown> {
    const words = ['--pid', '--fork', '--kill-child', process.execPath, launcher, ...args];
    const outer = spawn('unshare', words, { env: { PATH: process.env['PATH'] }, stdio: 'pipe' });
    onTestFinished(() => void outer.kill('SIGKILL'));
    const ended = once(outer, 'exit');
    const children = `/proc/${outer.pid}/task/${outer.pid}/children`;
    const sending = setInterval(() => {
      const [first] = existsSync(children) ? readFileSync(children, 'utf8').split(' ') : [];
      if (first) process.kill(Number(first), signal);
    }, 500);
    onTestFinished(() => clearInterval(sending));
    const [code] = await ended;
    return code;
  }
});

const onLinux = { meta: { skippedBecause: 'looks at processes as Linux shows them' } };

const serving = [
  '--max-semi-space-size=4',
  '--heap-growing-percent=50',
  '--no-allocation-site-pretenuring',
  '--v8-pool-size=1',
  '--no-maglev-destroy-on-background',
];
const servingFrom24 = '--external-memory-accounted-in-global-limit';

describe("V8's memory and threads", { skip: process.platform !== 'linux', ...onLinux }, () => {
  it.each([
    ['a Node that is new enough', []],
    ['an old Node', pretendOld],
  ])('is set for serving by %s', async (_what, nodeArgs) => {
    const commands = await commandsOf(await startService(nodeArgs));
    expect(commands.at(-1)).toEqual(expect.arrayContaining([...serving, servingFrom24]));
  });

  it('is left without the option that Node 22 does not have', async () => {
    const [command] = await commandsOf(await startService(pretend('22.19.0')));
    expect(command).toEqual(expect.arrayContaining(serving));
    expect(command).not.toContain(servingFrom24);
  });

  it('is left alone by a Node that nobody has tried', async () => {
    const [command] = await commandsOf(await startService(pretend('27.0.0')));
    expect(command?.join()).not.toContain('semi-space');
  });

  it('is set for every worker', async () => {
    const commands = await commandsOf(await startService([], { TINTYPE_WORKERS: '2' }));
    expect(commands).toHaveLength(3);
    for (const command of commands) expect(command).toEqual(expect.arrayContaining(serving));
  });

  it.each([
    ['a Node that is new enough', []],
    ['an old Node', pretendOld],
  ])('is as the operator says where that is said (%s)', async (_what, nodeArgs) => {
    const env = { NODE_OPTIONS: '--max_semi_space_size=8' };
    const [command] = (await commandsOf(await startService(nodeArgs, env))).slice(-1);
    expect(command).toEqual(expect.arrayContaining(serving.slice(1)));
    expect(command?.join()).not.toContain('semi-space');
  });

  it.each([
    ['', []],
    [', also by a Node 22, which would leave it out by itself', leavingEnvironmentOut],
  ])('comes with the environment%s', async (_what, nodeArgs) => {
    const service = await startService(nodeArgs, { TINTYPE_WORKERS: '1' });
    const environment = readFileSync(`/proc/${service.pid}/environ`, 'utf8').split('\0');
    expect(environment).toContain('TINTYPE_WORKERS=1');
  });

  it('is as the operator says on the command line', async () => {
    const given = ['--allocation_site_pretenuring', '--heap-growing-percent=90'];
    const [command] = await commandsOf(await startService(given));
    expect(command?.slice(1, 4)).toEqual([...given, serving[0]]);
  });
});

it('says what to do when there is no Node that could run it', async () => {
  const folder = makeFolder();
  copyFileSync(launcher, join(folder, 'tintype.js'));
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  const result = await run([...pretendOld, join(folder, 'tintype.js'), '--version']);
  expect(result).toEqual({
    code: 1,
    out: '',
    err: expect.stringMatching(
      /^error: Tintype needs Node 22\.19 or newer and this is 20\.20\.2: run npm ci,/,
    ),
  });
});

it('ends quietly when its reader has seen enough', async () => {
  const child = start([launcher, 'config', '--help']);
  child.stdout.destroy();
  const [err] = await Promise.all([text(child.stderr), once(child, 'close')]);
  expect(err).toBe('');
});

/** How a service and the process it started, if any, were called. Both end with that. */
async function commandsOf(service: ChildProcess): Promise<string[][]> {
  const { pid } = service;
  const of = (id: number | string | undefined) =>
    readFileSync(`/proc/${id}/cmdline`, 'utf8').split('\0');
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ');
  const commands = [of(pid), ...children.filter(Boolean).map(of)];
  service.kill('SIGTERM');
  await once(service, 'exit');
  return commands;
}

async function startService(
  nodeArgs: readonly string[],
  more: NodeJS.ProcessEnv = {},
): Promise<ChildProcess> {
  const args = ['serve', '--port', '0', '--data-dir', makeFolder()];
  const child = start([...nodeArgs, launcher, ...args], more);
  onTestFinished(() => void child.kill('SIGKILL'));
  for await (const line of createInterface({ input: child.stdout })) {
    if (line.includes('listening')) return child;
  }
  throw new Error(`the service did not start: ${await text(child.stderr)}`);
}

/** Makes the launcher, and only it, take this Node for another version. */
function pretend(node: string): string[] {
  const versions = `{ value: { ...process.versions, node: '${node}' } }`;
  return preload(`Object.defineProperty(process, 'versions', ${versions})`);
}

function preload(script: string): string[] {
  return ['--import', `data:text/javascript,${encodeURIComponent(script)}`];
}

async function run(args: readonly string[]) {
  const child = start(args);
  const [out, err, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close') as Promise<[number | null]>,
  ]);
  return { code, out, err };
}

function start(args: readonly string[], more: NodeJS.ProcessEnv = {}) {
  // Nothing of the environment of whoever runs the tests.
  const env = { PATH: process.env['PATH'], ...more };
  return spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
}

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tintype-launcher-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
