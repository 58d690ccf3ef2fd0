import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { type CommandLine, commandLine } from '../../test/support/processes/command-line.ts';
import { migrations } from '../db/migrations/migrations.ts';
import { commandsBelow, examples } from './examples.ts';
import { buildProgram } from './main.ts';

const nowhere = { out() {}, err() {}, input: async () => '', environment: {} };

let dataDir: string;
let cli: CommandLine;

beforeEach(() => {
  dataDir = join(makeFolder(), 'data');
  cli = commandLine({ url: null, dataDir });
});

describe('before there is a database', () => {
  const names = Object.keys(migrations);

  it('refuses to work and makes none', async () => {
    expect(await cli.run('users', 'list')).toEqual({
      exitCode: 1,
      out: '',
      err: `error: there is no database in ${dataDir}: make it with tintype migrate, or name its folder with --data-dir\n`,
    });
    expect(existsSync(dataDir)).toBe(false);
  });

  it('says which migrations have not run, and makes none', async () => {
    expect(await cli.json('migrate', '--status')).toMatchObject({
      migrations: names.map((name) => ({ name, executed_at: null })),
    });
    expect(existsSync(dataDir)).toBe(false);
  });

  it('makes it once', async () => {
    expect(await cli.out('migrate')).toBe(`Done: ${names.join(', ')}\n`);
    expect(await cli.out('migrate')).toBe('The schema is up to date\n');
    expect(await cli.out('migrate', '--status')).toMatch(/0001-initial +\d{4}-\d\d-\d\d /);
    expect((await cli.run('users', 'list')).err).toBe(
      'There are no users. Add one: tintype users add\n',
    );
  });
});

describe('exit code 3 says that the database is out of reach', () => {
  it.each(['verify', 'migrate --status', 'backup copy.db'])(
    'because nobody can look whether it is there: %s',
    async (command) => {
      // As root, one may look into every folder, but not into this.
      symlinkSync(dataDir, dataDir);
      const { exitCode, err } = await cli.run(...command.split(' '));
      expect(exitCode).toBe(3);
      expect(err).toContain(`the database in ${dataDir} cannot be opened: ELOOP: `);
    },
  );

  it('because nothing listens there', async () => {
    const { exitCode, err } = await cli.run(
      'users',
      'list',
      '--database-url',
      'postgres://u:pw@127.0.0.1:1/x',
    );
    expect(exitCode).toBe(3);
    expect(err).toMatch(
      /^error: the database cannot be reached: .*ECONNREFUSED.*; check DATABASE_URL/,
    );
    expect(err).not.toContain('pw');
    expect(err.trimEnd().split('\n')).toHaveLength(1);
  });

  it('because the file cannot be opened, for the reason that the system gives', async () => {
    const folder = makeFolder();
    mkdirSync(join(folder, 'tintype.db'));
    const { exitCode, err } = await cli.run('--data-dir', folder, 'migrate');
    expect(exitCode).toBe(3);
    expect(err).toMatch(/^error: the database in .* cannot be opened: EISDIR: .*tintype\.db'\n$/);
  });

  it('because the file is something else', async () => {
    const folder = makeFolder();
    writeFileSync(join(folder, 'tintype.db'), 'this is no database, only some text '.repeat(100));
    const { exitCode, err } = await cli.run('--data-dir', folder, 'users', 'list');
    expect(exitCode).toBe(3);
    expect(err).toMatch(/^error: the database in .* cannot be opened: file is not a database\n$/);
  });
});

describe('exit code 2 says that the command is wrong', () => {
  it.each([
    ['an unknown command', ['user'], /unknown command 'user'/],
    ['an unknown option', ['users', 'list', '--all'], /unknown option '--all'/],
    ['a missing argument', ['users', 'add'], /missing required argument 'email'/],
    ['an amount that is none', ['wallets', 'top-up', 'a@b.c', '1,50'], /It must be a decimal/],
    [
      'an amount that is too large',
      ['users', 'add', 'a@b.c', '--top-up', '10000000000'],
      /It must be at most 9007199254\.740991\./,
    ],
    [
      'an amount that is too far below zero',
      ['wallets', 'adjust', 'a@b.c', '--reason', 'x', '--', '-99999999999'],
      /It must be at least -9007199254\.740991\./,
    ],
    ['two files of options', ['config', '--config', 'a', '--config', 'b'], /given already, as 'a'/],
    ['no folder', ['users', 'list', '--data-dir', ''], /'--data-dir <folder>'.* It is empty/],
    ['no database', ['verify', '--database-url', ' '], /'--database-url <url>'.* It is empty/],
    ['no file of options', ['--config', '', 'config'], /'--config <file>'.* It is empty/],
    ['an adjustment without its reason', ['wallets', 'adjust', 'a@b.c', '1'], /--reason/],
    [
      'a role that is none',
      ['users', 'add', 'a@b.c', '--role', 'root'],
      /Allowed choices are user, admin/,
    ],
    ['a limit beyond all limits', ['usage', '--limit', '1000000'], /whole number from 1 to 100000/],
    ['a day that does not exist', ['usage', '--from', '2026-02-30'], /neither a day/],
    ['a zone that does not exist', ['audit', '--zone', 'Mars/Olympus'], /Unknown time zone/],
    [
      'a zone for no day',
      ['codes', 'create', '5', '--zone', 'Asia/Tokyo'],
      /--zone needs --expires/,
    ],
    [
      'a zone for a day that there is no more',
      ['keys', 'edit', 'key_x', '--never-expires', '--zone', 'Asia/Tokyo'],
      /--zone needs --expires/,
    ],
    ['JSON and CSV at once', ['usage', '--json', '--csv'], /cannot be used with option/],
    ['an edit of nothing', ['users', 'edit', 'a@b.c'], /nothing to change/],
    [
      'a setting of nothing',
      ['upstreams', 'add', 'x', '--kind', 'y', '--set', 'z'],
      /must be name=value/,
    ],
    [
      'a setting from a file that is not there',
      ['upstreams', 'add', 'x', '--kind', 'y', '--set', 'z=@/nowhere'],
      /The file cannot be read/,
    ],
    [
      'a limit beyond all limits',
      ['upstreams', 'add', 'x', '--kind', 'y', '--concurrency', '0'],
      /whole number from 1 to 10000/,
    ],
    [
      'a time without its unit',
      ['upstreams', 'edit', 'x', '--idle', '30'],
      /It must be a time from 100ms to 1h, such as 500ms/,
    ],
    ['a time that is too long', ['upstreams', 'edit', 'x', '--queue-wait', '601s'], /0ms to 10m/],
    [
      'two secrets on one standard input',
      ['upstreams', 'edit', 'x', '--credential-file', '-', '--proxy-file', '-'],
      /only one of credential and proxy/,
    ],
    [
      'a proxy that is to be there and not to be there',
      ['upstreams', 'edit', 'x', '--proxy-file', 'y', '--no-proxy'],
      /cannot be used with option/,
    ],
    [
      'a kind that does not exist',
      ['upstreams', 'kinds', 'sandbx'],
      /no adapter kind sandbx; did you mean sandbox\?/,
    ],
    [
      'the same of a new upstream',
      ['upstreams', 'add', 'x', '--kind', 'sandbx'],
      /no adapter kind sandbx; did you mean sandbox\?/,
    ],
    [
      'a preset that does not exist',
      ['upstreams', 'add', 'x', '--kind', 'sandbox', '--preset', 'Seaside'],
      /the kind sandbox has no preset "Seaside". It has:\n {2}"Sandbox"\n/,
    ],
    ['a mapping of nothing', ['upstreams', 'map', 'x', 'y', 'z'], /name an option: --strict-mask/],
    [
      'an old secret key that is none',
      ['upstreams', 'rekey', '--old-key-file', '/etc/hostname'],
      /the old secret key must be 32 random bytes/,
    ],
    [
      'a credential file that is not there',
      ['upstreams', 'add', 'x', '--kind', 'a1111', '--credential-file', '/nowhere'],
      /cannot be read/,
    ],
  ])('%s', async (_what, args, message) => {
    const { exitCode, out, err } = await cli.run(...args);
    expect({ exitCode, out }).toEqual({ exitCode: 2, out: '' });
    expect(err).toMatch(/^error: /);
    expect(err).toMatch(message);
  });

  it.each([
    'keys limit key_x --spend-limit 0',
    'keys limit key_x --monthly-limit 0',
    'keys create a@b.c --spend-limit 0',
    'wallets top-up a@b.c 0',
    'wallets refund tr_x --amount 0 --reason x',
    'users add a@b.c --top-up 0',
    'models price gen-image-2 0',
    'codes create 0',
  ])('an amount that is nothing: %s', async (command) => {
    const { exitCode, err } = await cli.run(...command.split(' '));
    expect(exitCode).toBe(2);
    expect(err).toContain('It must be greater than zero.');
  });

  it('names everything wrong with the options, one a line', async () => {
    const file = join(makeFolder(), 'options.env');
    writeFileSync(file, 'TINTYPE_PORT=many\nTINTYPE_GRACE=30\n');
    const { exitCode, err } = await cli.run('config', '--config', file);
    expect(exitCode).toBe(2);
    expect(err.trimEnd().split('\n')).toEqual([
      'error: TINTYPE_PORT must be a whole number from 0 to 65535, not "many"',
      expect.stringMatching(/^error: TINTYPE_GRACE must be a time from 0s to 10m/),
    ]);
  });
});

describe('global options', () => {
  it('may stand before or behind the command', async () => {
    const folder = makeFolder();
    await cli.out('--data-dir', folder, 'migrate');
    expect(await cli.json('users', 'list', '--data-dir', folder)).toEqual({
      users: [],
      more: false,
    });
  });

  it('show up in what is in force, and secrets do not', async () => {
    const url = 'postgres://me:hunter2@db/x';
    const out = await cli.out('config', '--database-url', url, '--json');
    const { options } = JSON.parse(out) as { options: unknown[] };
    expect(options).toContainEqual({ name: 'DATABASE_URL', value: 'set', source: 'flag' });
    expect(options).toContainEqual({ name: 'TINTYPE_PORT', value: '8080', source: 'default' });
    expect(options).toContainEqual({
      name: 'TINTYPE_SECRET_KEY',
      value: 'set',
      source: 'environment',
    });
    expect(out).not.toContain('hunter2');
  });
});

describe('help', () => {
  const commands = commandsBelow(buildProgram(nowhere)).map(({ path }) => path);

  it.each(commands)('explains tintype %s, with an example that holds', async (command) => {
    const { exitCode, out } = await cli.run(...command.split(' '), '--help');
    expect(exitCode).toBe(0);
    expect(out).toMatch(new RegExp(`^Usage: tintype ${command}\\b`));
    const shown = out.split('\n').filter((line) => line.startsWith('  $ tintype '));
    expect(shown).toEqual((examples[command] ?? ['none']).map((line) => `  $ ${line}`));
    for (const [flag] of shown.join('\n').matchAll(/--[a-z-]+/g)) {
      expect(out).toMatch(new RegExp(`^  (-\\w, )?${flag}\\b`, 'm'));
    }
  });

  it.each(['', ...commands])(
    'of tintype %s fits into eighty columns, but for examples',
    async (command) => {
      const out = await cli.out(...command.split(' ').filter((word) => word !== ''), '--help');
      const isExample = (line: string) => line.startsWith('  $ ');
      expect(out.split('\n').filter((line) => line.length > 80 && !isExample(line))).toEqual([]);
    },
  );

  it('tells whoever has just begun where to go, and nobody else', async () => {
    expect(await cli.out('--help')).toContain('tintype serve, which prints a link');
    expect(await cli.out('users', '--help')).not.toContain('tintype serve');
  });

  it('has no example of a command that is gone', () => {
    expect(Object.keys(examples).filter((path) => !commands.includes(path))).toEqual([]);
  });

  it('lists every option of the service, without values that are secret', async () => {
    const { out } = await cli.run('config', '--help');
    expect(out).toContain('TINTYPE_SHUTDOWN_LIMIT');
    expect(out).toContain('(default: 30s)');
    expect(out).not.toContain('07'.repeat(32));
  });

  it.each([
    ['help users add', 'users add --help'],
    ['help upstreams keys add', 'upstreams keys add --help'],
    ['upstreams help keys add', 'upstreams keys add --help'],
    ['users help add', 'users add --help'],
    ['help users', 'users --help'],
    ['users help', 'users --help'],
    ['help help', 'help --help'],
    ['help', '--help'],
  ])('of tintype %s is that of tintype %s', async (asked, meant) => {
    const { exitCode, out } = await cli.run(...asked.split(' '));
    expect(exitCode).toBe(0);
    expect(out).toBe(await cli.out(...meant.split(' ')));
  });

  it.each([
    ['help user', 'user', 'users'],
    ['help users ad', 'ad', 'add'],
    ['users help ad', 'ad', 'add'],
  ])('of tintype %s is none, but perhaps of another', async (asked, unknown, meant) => {
    expect(await cli.run(...asked.split(' '))).toEqual({
      exitCode: 2,
      out: '',
      err: `error: unknown command '${unknown}'\n(Did you mean ${meant}?)\n(add --help for how it is used)\n`,
    });
  });

  it('answers a wrong command with where to look', async () => {
    const { err } = await cli.run('users', 'lst');
    expect(err).toContain("error: unknown command 'lst'");
    expect(err).toContain('--help');
  });
});

it('says its version', async () => {
  expect(await cli.out('--version')).toMatch(/^\d+\.\d+\.\d+\n$/);
});

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tintype-cli-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
