import { describe, expect, it } from 'vitest';
import { type Engine, forEachEngine } from '../../../test/support/databases/databases.ts';
import { addSpender } from '../../../test/support/money/spending.ts';
import { type CommandLine, commandLine } from '../../../test/support/processes/command-line.ts';
import { openSession } from '../../flows/sign-in/open-session.ts';
import {
  findOutsideIdentity,
  insertOutsideIdentity,
} from '../../identity/outside-identity-store.ts';
import { listSessions } from '../../identity/session-store.ts';
import { systemClock } from '../../lib/clock.ts';

const setPassword = ['users', 'set-password', 'ann@example.com', '--password-file', '-'] as const;
const password = 'correct horse battery';

forEachEngine((engine) => {
  describe('users invite', () => {
    it('prints the link alone, and says what else it takes', async () => {
      const cli = await open(engine);
      const { out, err } = await cli.run('users', 'invite', '--email', 'Ann@example.com');
      expect(out).toMatch(/^\/invitation#[\w-]{43}\n$/);
      expect(err).toMatch(
        /^It works once, and expires 20\S+Z\.\nPut the address of the service in front of it: /,
      );
      expect(await cli.out('audit', '--json')).not.toContain(out.trim().split('#')[1]);
    });

    it('prints all of the link where the service’s address is known', async () => {
      const cli = await open(engine, { TINTYPE_PUBLIC_URL: 'https://images.example.com' });
      const wish = ['--role', 'admin', '--top-up', '5'] as const;
      expect(await cli.json('users', 'invite', ...wish)).toMatchObject({
        link: expect.stringMatching(/^https:\/\/images\.example\.com\/invitation#[\w-]{43}$/),
      });
      expect((await cli.run('users', 'invite')).err).toMatch(/^It works once, and expires \S+\n$/);
    });

    it.each(['0', '-5'])('refuses a top-up of %s', async (amount) => {
      const cli = await open(engine);
      expect(await cli.run('users', 'invite', '--top-up', amount)).toEqual({
        exitCode: 2,
        out: '',
        err: 'error: a top-up must be greater than zero: leave --top-up out for none\n',
      });
      expect(await cli.json('users', 'invitations')).toMatchObject({ invitations: [] });
    });

    it('invites nobody who has an account', async () => {
      const cli = await open(engine);
      await cli.out('users', 'add', 'ann@example.com');
      const { exitCode, err } = await cli.run('users', 'invite', '--email', 'ann@example.com');
      expect(exitCode).not.toBe(0);
      expect(err).toContain('already a user');
    });
  });

  describe('users uninvite', () => {
    it('takes back an invitation that users invitations lists', async () => {
      const cli = await open(engine);
      const made = await cli.json('users', 'invite', '--email', 'ann@example.com', '--top-up', '5');
      const id = String(made['id']);
      const listed = async () => (await cli.json('users', 'invitations'))['invitations'];
      const invitation = { id, email: 'ann@example.com', role: 'user', top_up: '5.00' };
      expect(await listed()).toMatchObject([{ ...invitation, state: 'open' }]);
      expect(await cli.out('users', 'uninvite', id)).toBe(
        `${id} is withdrawn: its link opens no account\n`,
      );
      expect(await listed()).toMatchObject([{ ...invitation, state: 'revoked' }]);
      expect(await cli.out('users', 'invitations')).toContain('revoked');
      const secret = String(made['link']).split('#')[1] ?? '';
      expect(await cli.out('users', 'invitations', '--json')).not.toContain(secret);
    });

    it('knows no other', async () => {
      const cli = await open(engine);
      const { exitCode, err } = await cli.run('users', 'uninvite', 'inv_nobody');
      expect(exitCode).toBe(1);
      expect(err).toContain('There is no invitation inv_nobody');
    });
  });

  it('users sign-out ends every session, and says that keys are none', async () => {
    const database = await engine.open();
    const cli = commandLine(engine.locationOf(database));
    const { userId } = await addSpender(database, '0');
    const visitor = { userAgent: null, address: null };
    const nowMs = systemClock.now();
    for (const method of ['password', 'passkey'] as const) {
      await database.transaction((trx) => openSession(trx, { userId, method, visitor, nowMs }));
    }
    const { out, err } = await cli.run('users', 'sign-out', userId, '--reason', 'stolen');
    expect(out).toBe(`${userId} is signed out everywhere\n`);
    expect(err).toContain('API keys go on working');
    expect(await listSessions(database, { userId, nowMs })).toEqual([]);
    const { audit } = await cli.json('audit');
    expect(audit).toContainEqual(
      expect.objectContaining({
        action: 'user.end_sessions',
        subject: userId,
        reason: 'stolen',
        detail: { email: expect.any(String), sessions: 2, access_tokens: 0 },
      }),
    );
  });

  describe('users set-password', () => {
    it('reads the password from standard input, and never prints it', async () => {
      const cli = await open(engine);
      await cli.out('users', 'add', 'ann@example.com');
      const said = await cli.runWithInput(`${password}\n`, ...setPassword);
      expect(said).toMatchObject({ exitCode: 0, out: 'ann@example.com has a new password\n' });
      const audit = await cli.out('audit', '--json');
      expect(audit).toContain('user.set_password');
      expect(audit).not.toMatch(/horse|argon2/);
    });

    it('refuses one that is too short', async () => {
      const cli = await open(engine);
      await cli.out('users', 'add', 'ann@example.com');
      const said = await cli.runWithInput('short', ...setPassword);
      expect(said.exitCode).not.toBe(0);
      expect(said.err).toContain('12 to 200 characters');
    });
  });

  it('users reset-password prints a link, for users there are', async () => {
    const cli = await open(engine);
    await cli.out('users', 'add', 'ann@example.com');
    const { out } = await cli.run('users', 'reset-password', 'ann@example.com');
    expect(out).toMatch(/^\/reset-password#[\w-]{43}\n$/);
    expect((await cli.run('users', 'reset-password', 'bob@example.com')).err).toContain(
      'There is no user bob@example.com',
    );
  });

  it('users remove-authenticator may be said once more', async () => {
    const cli = await open(engine);
    await cli.out('users', 'add', 'ann@example.com');
    const { exitCode } = await cli.run('users', 'remove-authenticator', 'ann@example.com');
    expect(exitCode).toBe(0);
    expect(await cli.out('audit', '--json')).not.toContain('remove_authenticator');
  });

  it('users unlink-issuer forgets whom the OpenID issuer knows somebody as, and signs them out', async () => {
    const database = await engine.open();
    const cli = commandLine(engine.locationOf(database));
    const { userId } = await addSpender(database, '0');
    const visitor = { userAgent: null, address: null };
    const nowMs = systemClock.now();
    const known = { issuer: 'https://login.example.com', subject: 'person-1' };
    await database.transaction(async (trx) => {
      await insertOutsideIdentity(trx, { ...known, userId, nowMs });
      await openSession(trx, { userId, method: 'oidc', visitor, nowMs });
    });
    const unlink = () => cli.run('users', 'unlink-issuer', userId, '--reason', 'new account there');
    expect(await unlink()).toMatchObject({ exitCode: 0, err: '' });
    expect(await findOutsideIdentity(database, known)).toBeNull();
    expect(await listSessions(database, { userId, nowMs })).toEqual([]);
    // Once more changes nothing.
    expect((await unlink()).exitCode).toBe(0);
    const { audit } = await cli.json('audit');
    const entries = (audit as { action: string }[]).filter(({ action }) =>
      action.endsWith('issuer'),
    );
    expect(entries).toMatchObject([
      { action: 'user.unlink_issuer', reason: 'new account there', detail: { identities: 1 } },
    ]);
  });
});

async function open(
  engine: Engine,
  environment: Record<string, string> = {},
): Promise<CommandLine> {
  return commandLine(engine.locationOf(await engine.open()), environment);
}
