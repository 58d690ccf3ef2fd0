/** What a command says whose connection breaks just when PostgreSQL commits its change. */
import { describe, expect, it, onTestFinished } from 'vitest';
import { commandLine } from '../../test/support/command-line.ts';
import { forEachEngine } from '../../test/support/databases.ts';
import { FaultyProxy } from '../../test/support/faulty-proxy.ts';
import { addSpender, walletOf } from '../../test/support/spending.ts';
import { must } from '../lib/assert.ts';

const onlyPostgres = { meta: { skippedBecause: 'concerns PostgreSQL and the way to it' } };

forEachEngine((engine) => {
  describe('a top-up', { ...onlyPostgres, skip: engine.name !== 'postgres' }, () => {
    it.each([
      ['is lost', '1.00'],
      ['happens unheard', '26.00'],
    ] as const)('whose commit %s says that nobody knows', async (fate, balance) => {
      const database = await engine.open();
      const { userId } = await addSpender(database, '1');
      const url = must(engine.locationOf(database).url, 'an address');
      const proxy = await FaultyProxy.start(url);
      onTestFinished(() => proxy.stop());
      void proxy.fail('commit', fate);
      const cli = commandLine({ url: proxy.urlOf(url), dataDir: '' });
      const { exitCode, out, err } = await cli.run('wallets', 'top-up', userId, '25');
      expect({ exitCode, out }).toEqual({ exitCode: 1, out: '' });
      expect(err).toMatch(/^error: .* may be made or not: look before you repeat it\n$/);
      expect(await walletOf(database, userId)).toBe(`${balance} balance, 0.00 held, 0 slots`);
    });
  });
});
