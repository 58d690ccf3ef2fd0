import { beforeEach, describe, expect, it } from 'vitest';
import { forEachEngine } from '../../../test/support/databases/databases.ts';
import { addSpender, type Caller } from '../../../test/support/money/spending.ts';
import { type CommandLine, commandLine } from '../../../test/support/processes/command-line.ts';
import { findKeyAccess } from '../../accounts/key-access-store.ts';
import { hashSecret } from '../../accounts/key-secret.ts';
import type { Database } from '../../db/db.ts';
import { playgroundKey } from '../../flows/keys/playground-key.ts';
import { systemClock } from '../../lib/clock.ts';

forEachEngine((engine) => {
  let database: Database;
  let cli: CommandLine;
  let spender: Caller;

  beforeEach(async () => {
    database = await engine.open();
    cli = commandLine(engine.locationOf(database));
    spender = await addSpender(database, '0');
  });

  const works = async (secret: string) =>
    (await findKeyAccess(database, hashSecret(secret))) !== null;

  describe('tintype keys', () => {
    it('edits what a key is called and from where it may be used', async () => {
      const id = spender.apiKeyId;
      const edit = ['keys', 'edit', id, '--name', 'laptop', '--addresses', '10.1.2.3/8,::1'];
      expect(await cli.out(...edit)).toContain(`${id} (laptop, …`);
      expect(await cli.json('keys', 'show', id)).toMatchObject({
        name: 'laptop',
        state: 'active',
        addresses: ['10.0.0.0/8', '::1'],
        last_used_at: null,
      });
      expect(await cli.out('keys', 'list')).toMatch(/all +10\.0\.0\.0\/8,::1\n/);
      await cli.out('keys', 'edit', id, '--all-addresses');
      expect(await cli.out('keys', 'show', id)).toMatch(/addresses +all/);
    });

    it('asks what to change', async () => {
      const { exitCode, err } = await cli.run('keys', 'edit', spender.apiKeyId);
      expect(exitCode).toBe(2);
      expect(err).toContain('name what to change');
    });

    it('disables and enables', async () => {
      const id = spender.apiKeyId;
      expect(await cli.out('keys', 'disable', id)).toContain('is disabled');
      expect(await works(spender.apiKey)).toBe(false);
      expect(await cli.out('keys', 'list')).toContain('disabled');
      expect(await cli.out('keys', 'enable', id)).toContain('is enabled');
      expect(await works(spender.apiKey)).toBe(true);
    });

    it('rotates, with the secret of before for as long as wanted', async () => {
      const { out, err } = await cli.run('keys', 'rotate', spender.apiKeyId, '--overlap', '1h');
      expect(err).toMatch(/The previous secret works until \d{4}-/);
      expect([await works(spender.apiKey), await works(out.trim())]).toEqual([true, true]);
      const again = await cli.run('keys', 'rotate', spender.apiKeyId);
      expect(await works(spender.apiKey)).toBe(false);
      expect(await works(out.trim())).toBe(false);
      expect(await works(again.out.trim())).toBe(true);
    });

    it('takes the overlap that its help names as the default', async () => {
      const { err } = await cli.run('keys', 'rotate', spender.apiKeyId, '--overlap', '0');
      expect(err).toContain('The previous secret no longer works');
    });

    it('refuses an overlap of more than a day', async () => {
      const { exitCode } = await cli.run('keys', 'rotate', spender.apiKeyId, '--overlap', '25h');
      expect(exitCode).toBe(2);
    });

    it('does not show what the playground uses', async () => {
      const deps = { database, clock: systemClock };
      const { apiKeyId } = await playgroundKey(deps, spender.userId);
      expect(await cli.out('keys', 'list')).not.toContain(apiKeyId);
      expect((await cli.run('keys', 'revoke', apiKeyId)).exitCode).toBe(1);
    });
  });
});
