import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import Sqlite from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { commandLine } from '../../../test/support/processes/command-line.ts';
import { startService } from '../../../test/support/processes/service-process.ts';
import { makeScratchFolder } from '../../../test/support/scratch.ts';

const program = fileURLToPath(new URL('../../../bin/tintype.js', import.meta.url));
const hungUpTwice = fileURLToPath(
  new URL('../../../test/support/processes/hung-up-twice.ts', import.meta.url),
);

describe('where the port is taken', () => {
  const other = createServer();
  const folder = makeScratchFolder('taken-port');
  let port = 0;

  beforeAll(async () => {
    await once(other.listen(0, '127.0.0.1'), 'listening');
    const address = other.address();
    port = typeof address === 'object' && address ? address.port : 0;
  });

  afterAll(() => {
    other.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it.each(['serve', 'demo'])('%s ends at once and says what to do', async (command) => {
    const child = spawn(process.execPath, [program, command, '--port', String(port)], {
      env: { PATH: process.env['PATH'], TINTYPE_DATA_DIR: folder },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const [said, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
    expect(code).toBe(1);
    expect(said).toMatch(
      new RegExp(
        `^error: port ${port} on 127\\.0\\.0\\.1 is in use; stop what uses it, or choose another with --port or TINTYPE_PORT`,
        'm',
      ),
    );
    expect(said).not.toContain('"level"');
  });
});

describe('where the database is out of reach', { timeout: 120_000 }, () => {
  const folder = makeScratchFolder('out-of-reach');
  const file = join(folder, 'a-file');

  beforeAll(() => writeFileSync(file, ''));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it.each([
    ['one process', {}],
    ['several workers', { TINTYPE_WORKERS: '2' }],
  ])('%s end with 3 and the words of every other command', async (_what, options) => {
    const url = 'postgres://u:pw@127.0.0.1:1/x';
    expect(await failToServe({ ...options, DATABASE_URL: url, TINTYPE_DATA_DIR: folder })).toEqual({
      code: 3,
      said: 'error: the database cannot be reached: connect ECONNREFUSED 127.0.0.1:1; check DATABASE_URL and that PostgreSQL runs\n',
    });
    expect(await failToServe({ ...options, TINTYPE_DATA_DIR: file })).toEqual({
      code: 3,
      said: `error: the database in ${file} cannot be opened: ${file} is no folder\n`,
    });
  });

  it.skipIf(process.platform !== 'linux')('a folder that takes no other is named', async () => {
    expect(await failToServe({ TINTYPE_DATA_DIR: '/proc/tintype/data' })).toEqual({
      code: 3,
      said: "error: the database in /proc/tintype/data cannot be opened: ENOENT: no such file or directory, mkdir '/proc/tintype'\n",
    });
  });

  it('the service names the key file that it cannot read', async () => {
    mkdirSync(join(folder, 'secret.key'), { mode: 0o700 });
    expect(await failToServe({ TINTYPE_DATA_DIR: folder })).toEqual({
      code: 1,
      said: expect.stringMatching(/^error: \S*secret\.key cannot be read: EISDIR[^\n]*\n$/),
    });
  });
});

it.each([
  ['one process', {}],
  ['several workers', { TINTYPE_WORKERS: '2' }],
])(
  '%s name the database that turns out to be damaged',
  { timeout: 120_000 },
  async (_what, options) => {
    const folder = makeScratchFolder('damaged');
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    await commandLine({ url: null, dataDir: folder }).out('migrate');
    wipeTable(join(folder, 'tintype.db'), 'processes');
    expect(await failToServe({ ...options, TINTYPE_DATA_DIR: folder })).toEqual({
      code: 3,
      said: `error: the database in ${folder} cannot be used: database disk image is malformed\n`,
    });
  },
);

it('a host that is none is named, and is not taken for the database’s', async () => {
  const folder = makeScratchFolder('no-host');
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const options = { TINTYPE_DATA_DIR: folder, TINTYPE_HOST: 'nowhere.invalid' };
  expect(await failToServe(options)).toEqual({
    code: 1,
    said: 'error: the name nowhere.invalid leads to no address; see --host or TINTYPE_HOST\n',
  });
});

/** What a bad disk may do. */
function wipeTable(file: string, table: string): void {
  const sqlite = new Sqlite(file);
  const place = sqlite.prepare('select rootpage from sqlite_schema where name = ?').pluck();
  const page = Number(place.get(table));
  const bytes = Number(sqlite.pragma('page_size', { simple: true }));
  sqlite.close();
  const descriptor = openSync(file, 'r+');
  writeSync(descriptor, Buffer.alloc(bytes), 0, bytes, (page - 1) * bytes);
  closeSync(descriptor);
}

/** Starts a service that cannot start; answers with how it ended. */
async function failToServe(options: NodeJS.ProcessEnv) {
  const child = spawn(process.execPath, [program, 'serve', '--port', '0'], {
    env: { PATH: process.env['PATH'], ...options },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [said, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  return { code, said: said.replace(/^(Building the console|The console is built).*\n/gm, '') };
}

it('goes on stopping when it is told again that its terminal is closed', async () => {
  const folder = makeScratchFolder('hang-up');
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const service = await startService({ url: null, dataDir: folder });
  service.kill('SIGHUP');
  const said = () => service.log.map(({ msg }) => msg);
  await vi.waitFor(() => expect(said()).toContain('stopping'), { timeout: 30_000 });
  service.kill('SIGHUP');
  expect(await service.exit).toEqual([0, null]);
});

it('goes on stopping also where that is told in the moment in which the first time is heard', async () => {
  const child = spawn(process.execPath, [hungUpTwice], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [said, exit] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  expect([said, exit]).toEqual(['stopped', [0, null]]);
});

describe('on a first start', () => {
  it.each([
    ['/nowhere/password', 'cannot be read: /nowhere/password'],
    ['/dev/null', 'cannot be used: A password must have 12 to 200 characters.'],
  ])('a wrong password file of the administrator is a wrong option: %s', async (file, reason) => {
    const folder = makeScratchFolder('first-start');
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const admin = { TINTYPE_ADMIN_EMAIL: 'ann@example.com', TINTYPE_ADMIN_PASSWORD_FILE: file };
    expect(await failToServe({ ...admin, TINTYPE_DATA_DIR: folder })).toEqual({
      code: 2,
      said: `error: TINTYPE_ADMIN_PASSWORD_FILE ${reason}\n`,
    });
  });

  it('prints the setup link to standard error and keeps it out of the log', async () => {
    const folder = makeScratchFolder('first-start');
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const child = spawn(process.execPath, [program, 'serve', '--port', '0'], {
      env: { PATH: process.env['PATH'], TINTYPE_DATA_DIR: folder },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const exited = once(child, 'exit');
    const logged = text(child.stdout);
    let said = '';
    for await (const piece of child.stderr) {
      said += String(piece);
      if (/Data: .*\n/.test(said)) child.kill('SIGTERM');
    }
    await exited;
    const [, secret = ''] = /http:\/\/127\.0\.0\.1:\d+\/setup#([\w-]{43})\n/.exec(said) ?? [];
    expect(secret).not.toBe('');
    expect(said).toContain(`Data: ${folder}\n`);
    expect(await logged).toContain('the setup link is on standard error');
    expect(await logged).not.toContain(secret);
  });
});
