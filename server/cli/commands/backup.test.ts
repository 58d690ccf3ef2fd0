import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startTestApp } from '../../../test/support/app.ts';
import { openEmbedded } from '../../../test/support/history/installation.ts';
import { commandLine } from '../../../test/support/processes/command-line.ts';

describe('backup and restore', () => {
  it('take the database of a service at work to another folder', async () => {
    const { dataDir, file } = await embedded();
    const app = await startTestApp({ url: null, dataDir });
    onTestFinished(() => app.stop());
    const user = await app.addUser({ money: '1.00' });
    const body = { model: 'gen-image-2', prompt: 'a lamp', quality: 'low' };
    const answers = [1, 2, 3].map(() => app.post('/v1/images/generations', user, body));

    const backup = await commandLine({ url: null, dataDir }).run('backup', file);
    expect(backup.exitCode).toBe(0);
    expect(backup.out).toMatch(/^.*copy\.db holds the whole database \(\d+ bytes\)\n$/);
    expect(backup.err).toMatch(/^copying: 0 %\nchecking\nnote: .*\(TINTYPE_SECRET_KEY\)/);
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200, 200, 200]);

    const elsewhere = commandLine({ url: null, dataDir: join(dataDir, 'elsewhere') });
    expect(await elsewhere.out('restore', file)).toMatch(
      /^.*copy\.db is restored to .*elsewhere: 1 wallet, \d transactions?, and the books are right\n$/,
    );
    expect(await elsewhere.out('verify')).toContain('The books are right');
    expect(await elsewhere.json('wallets', 'show', user.email)).toMatchObject({ held: '0.00' });
  });

  it('say what stands in the way', async () => {
    const { database, dataDir, file, cli } = await embedded();
    await database.close();
    await cli.out('users', 'add', 'alice@example.com', '--top-up', '5');
    await cli.out('backup', file);
    expect(await cli.run('backup', file)).toMatchObject({
      exitCode: 1,
      err: `error: ${file} is there already: name another file, or add --force\n`,
    });
    expect(await cli.run('restore', file)).toMatchObject({
      exitCode: 1,
      err: expect.stringMatching(/^error: .* holds an installation already: --force puts/),
    });
    const app = await startTestApp({ url: null, dataDir });
    const whileServing = await cli.run('restore', file, '--force');
    await app.stop();
    expect(whileServing).toMatchObject({
      exitCode: 1,
      err: `error: a service runs on this database (process ${process.pid}): stop it first\n`,
    });
    expect(await cli.out('restore', file, '--force')).toMatch(
      /\nThe database that was there is kept: /,
    );
  });

  const [asked, added] = ['the key studio/main', '1 more secret in the backup'];
  it.each([
    [
      'that sealed',
      {},
      'the secret key at hand (TINTYPE_SECRET_KEY) opens all secrets in the backup (2)',
    ],
    [
      'other than that which sealed',
      { TINTYPE_SECRET_KEY: '09'.repeat(32) },
      `the secret key at hand (TINTYPE_SECRET_KEY) is not the one that sealed ${asked} and ${added}`,
    ],
    [
      'missing that sealed',
      { TINTYPE_SECRET_KEY: '' },
      `secret.key) that sealed ${asked} and ${added}, or the service makes another`,
    ],
  ])('tell of a secret key %s what the backup holds', async (_which, options, note) => {
    const { dataDir, cli, file } = await embedded();
    for (const name of ['studio', 'workshop']) {
      const add = ['upstreams', 'add', name, '--kind', 'openai-images', '--preset', 'OpenAI'];
      await cli.runWithInput('hunter2', ...add, '--no-sync', '--credential-file', '-');
    }
    await cli.out('backup', file);
    const folder = join(dataDir, 'elsewhere');
    const elsewhere = commandLine({ url: null, dataDir: folder }, options);
    const { exitCode, err } = await elsewhere.run('restore', file);
    expect(exitCode).toBe(0);
    expect(err).toContain(note);
    expect(existsSync(join(folder, 'secret.key'))).toBe(false);
  });

  it('change nothing where the secret key cannot be used', async () => {
    const { dataDir, cli, file } = await embedded();
    await cli.out('backup', file);
    const folder = join(dataDir, 'elsewhere');
    mkdirSync(folder);
    writeFileSync(join(folder, 'secret.key'), '07'.repeat(32), { mode: 0o644 });
    const elsewhere = commandLine({ url: null, dataDir: folder }, { TINTYPE_SECRET_KEY: '' });
    expect(await elsewhere.run('restore', file)).toMatchObject({
      exitCode: 1,
      err: expect.stringContaining('secret.key can be read by others'),
    });
    expect(existsSync(join(folder, 'tintype.db'))).toBe(false);
  });

  it('name every violation in a backup whose books are wrong', async () => {
    const { database, file, cli, dataDir } = await embedded();
    await cli.out('users', 'add', 'alice@example.com', '--top-up', '5');
    await database.transaction((trx) =>
      trx.kysely.updateTable('wallets').set({ balance: 6_000_000 }).execute(),
    );
    await cli.out('backup', file);
    const elsewhere = join(dataDir, 'elsewhere');
    const result = await commandLine({ url: null, dataDir: elsewhere }).run('restore', file);
    expect(result.exitCode).toBe(1);
    expect(result.out).toContain('balance = Σ transactions');
    expect(result.err).toContain('are wrong in 1 place; nothing was changed');
    expect(existsSync(join(elsewhere, 'tintype.db'))).toBe(false);
  });

  it.each([
    ['backup', 'pg_dump'],
    ['restore', 'pg_restore'],
  ])('leave PostgreSQL to its own tools: %s', async (command, tool) => {
    const postgres = commandLine({ url: 'postgres://nowhere.invalid/x', dataDir: 'none' });
    const { exitCode, err } = await postgres.run(command, 'file');
    expect(exitCode).toBe(1);
    expect(err).toContain(tool);
  });

  it('make no database where there is none', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tintype-backup-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const dataDir = join(folder, 'data');
    const cli = commandLine({ url: null, dataDir });
    const { exitCode, err } = await cli.run('backup', join(folder, 'copy.db'));
    expect({ exitCode, err }).toMatchObject({
      exitCode: 1,
      err: expect.stringContaining('there is no database in'),
    });
    expect(existsSync(dataDir)).toBe(false);
  });
});

async function embedded() {
  const { database, dataDir } = await openEmbedded();
  const cli = commandLine({ url: null, dataDir });
  return { database, dataDir, cli, file: join(dataDir, 'copy.db') };
}
