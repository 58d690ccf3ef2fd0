import { beforeAll, expect, it } from 'vitest';
import { forEachEngine } from '../../../test/support/databases/databases.ts';
import { type CommandLine, commandLine } from '../../../test/support/processes/command-line.ts';
import { isWellFormed } from '../../accounts/key-secret.ts';

forEachEngine((engine) => {
  let cli: CommandLine;

  beforeAll(async () => {
    cli = await open();
    await cli.out('users', 'add', 'Alice@Example.com', '--name', 'Alice', '--top-up', '25');
  });

  it('shows a user by e-mail address or ID', async () => {
    const user = await cli.json('users', 'show', 'alice@example.com');
    expect(user).toMatchObject({ name: 'Alice', role: 'user', state: 'active', slots_max: null });
    expect(await cli.json('users', 'show', String(user['id']))).toEqual(user);
    expect(await cli.out('users', 'list')).toMatch(
      /^EMAIL +NAME +ROLE[^\n]*\nalice@example.com +Alice/,
    );
  });

  it('adds nobody with nothing to begin with, where money was named', async () => {
    expect(await cli.run('users', 'add', 'zero@example.com', '--top-up', '0')).toMatchObject({
      exitCode: 2,
      err: expect.stringContaining('It must be greater than zero.'),
    });
    expect((await cli.run('users', 'show', 'zero@example.com')).exitCode).toBe(1);
  });

  it('edits, disables and enables', async () => {
    await cli.out('users', 'edit', 'alice@example.com', '--slots', '4', '--role', 'admin');
    await cli.out('users', 'disable', 'alice@example.com', '--reason', 'on leave');
    expect(await cli.json('users', 'show', 'alice@example.com')).toMatchObject({
      slots_max: 4,
      role: 'admin',
      state: 'disabled',
    });
    await cli.out('users', 'enable', 'alice@example.com');
    await cli.out('users', 'edit', 'alice@example.com', '--default-slots');
    expect(await cli.json('users', 'show', 'alice@example.com')).toMatchObject({
      slots_max: null,
      state: 'active',
    });
  });

  it('prints a new key alone, so that a script can take it', async () => {
    const { out, err } = await cli.run('keys', 'create', 'alice@example.com', '--name', 'laptop');
    expect(isWellFormed(out.trim())).toBe(true);
    expect(out).toBe(`${out.trim()}\n`);
    expect(err).toMatch(/^Key key_\w+\. Keep it now: it cannot be shown again\.\n$/);
  });

  it('never shows a key again', async () => {
    const created = await cli.json(
      'keys',
      'create',
      'alice@example.com',
      '--models',
      'gen-image-2',
    );
    const secret = String(created['secret']);
    expect(created).toMatchObject({ models: ['gen-image-2'], state: 'active' });
    const shown = [
      await cli.out('keys', 'list'),
      await cli.out('keys', 'list', 'alice@example.com', '--json'),
      await cli.out('audit', '--json'),
    ].join('\n');
    expect(shown).toContain(String(created['id']));
    expect(shown).not.toContain(secret.slice(7));
  });

  it('revokes a key', async () => {
    const { id } = await cli.json('keys', 'create', 'alice@example.com');
    expect(await cli.out('keys', 'revoke', String(id))).toContain('is revoked');
    const { keys } = await cli.json('keys', 'list');
    expect(keys).toContainEqual(expect.objectContaining({ id, state: 'revoked' }));
  });

  it('reads the day a key expires in the zone given', async () => {
    const args = ['--expires', '2099-01-01', '--zone', 'America/New_York'];
    const key = await cli.json('keys', 'create', 'alice@example.com', ...args);
    expect(key['expires_at']).toBe('2099-01-01T05:00:00.000Z');
  });

  it('erases a user, when the address is given twice and the money is seen to', async () => {
    const email = 'leaving@example.com';
    const added = await cli.json('users', 'add', email, '--name', 'Lea Ving', '--top-up', '7');
    const erase = (...args: string[]) => cli.run('users', 'erase', email, ...args);
    expect((await erase()).exitCode).toBe(2);
    expect((await erase('--confirm', 'other@example.com')).err).toContain('not the e-mail address');
    expect((await erase('--confirm', email)).err).toContain('7.00 left in the wallet');
    const { exitCode, out, err } = await erase('--confirm', email, '--forfeit');
    expect(exitCode).toBe(0);
    expect(out).toContain(`${String(added['id'])} is erased, and called erased-`);
    expect(err).toContain('7.00 was forfeited');
    expect(err).toContain('Backups');
    expect(await cli.json('users', 'show', String(added['id']))).toMatchObject({
      email: `${String(added['id'])}@erased.invalid`,
      state: 'erased',
      erased_at: expect.any(String),
    });
    expect(await cli.out('verify')).toContain('The books are right');
    expect(await cli.out('audit', '--json')).not.toContain('Lea Ving');
  });

  async function open(): Promise<CommandLine> {
    return commandLine(engine.locationOf(await engine.open()));
  }
});
