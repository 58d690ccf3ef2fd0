import { expect, it } from 'vitest';
import { forEachEngine } from '../../test/support/databases/databases.ts';
import { interceptTransactions } from '../../test/support/databases/intercepted-database.ts';
import { lockLimits, tryLimits } from './try-limit.ts';
import { claimTries, clearTries, giveBackTry, type Try } from './try-store.ts';

const nowMs = Date.UTC(2026, 10, 20);
const account: Try = { kind: 'account', what: 'ann@example.com' };
const network: Try = { kind: 'address', what: '192.0.2.7' };

forEachEngine((engine) => {
  const open = async () => {
    let transactions = 0;
    const database = interceptTransactions(await engine.open(), {
      before: async (done) => {
        transactions++;
        return done;
      },
    });
    const claim = (atMs: number) => claimTries(database, [account, network], atMs);
    for (let n = 0; n < tryLimits.account.freeTries; n++) await claim(nowMs);
    const giveBack = () => database.transaction((trx) => giveBackTry(trx, account));
    return { claim, giveBack, written: () => transactions };
  };

  it('refuses whoever is locked without a transaction', async () => {
    const { claim, written } = await open();
    const before = written();
    const refusal = { code: 'rate_limit', retryAfterSeconds: lockLimits.firstMs / 1000 };
    await expect(claim(nowMs)).rejects.toMatchObject(refusal);
    await expect(claim(nowMs + lockLimits.firstMs - 1)).rejects.toMatchObject({
      code: 'rate_limit',
      retryAfterSeconds: 1,
    });
    expect(written()).toBe(before);
    await claim(nowMs + lockLimits.firstMs);
    expect(written()).toBe(before + 1);
  });

  it('lets in again whose failures are forgotten, though they are still stored', async () => {
    const { claim, written } = await open();
    const before = written();
    await claim(nowMs + lockLimits.forgetMs);
    await claim(nowMs + lockLimits.forgetMs);
    expect(written()).toBe(before + 2);
  });

  it('forgets failures with the pause that the latest of them brought', async () => {
    const { claim } = await open();
    await claim(nowMs + lockLimits.forgetMs - 1);
    await expect(claim(nowMs + lockLimits.forgetMs)).resolves.toBeUndefined();
  });

  it('finds no gap for those who come at once, and tells them of the longest pause', async () => {
    const database = await engine.open();
    const claimAll = (tries: readonly Try[]) => claimTries(database, tries, nowMs);
    const later = nowMs + lockLimits.firstMs;
    for (let n = 0; n < tryLimits.account.freeTries; n++) await claimAll([account]);
    for (let n = 1; n < tryLimits.address.freeTries; n++) await claimAll([network]);
    const atOnce = Array.from({ length: 5 }, () => claimTries(database, [account, network], later));
    const outcomes = await Promise.allSettled(atOnce);
    const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
    expect(refused).toHaveLength(outcomes.length - 1);
    const retryAfterSeconds = (2 * lockLimits.firstMs) / 1000;
    for (const { reason } of refused) expect(reason).toMatchObject({ retryAfterSeconds });
  });

  it('gives back no more than was claimed, however late the one before had cleared all', async () => {
    const database = await engine.open();
    const claim = () => claimTries(database, [account], nowMs);
    await claim();
    await claim();
    await database.transaction((trx) => clearTries(trx, account));
    await claim();
    for (let n = 0; n < 3; n++) await database.transaction((trx) => giveBackTry(trx, account));
    for (let n = 0; n < tryLimits.account.freeTries; n++) await claim();
    await expect(claim()).rejects.toMatchObject({ code: 'rate_limit' });
  });

  it('gives the pause back that a try would have brought', async () => {
    const { claim, giveBack } = await open();
    const later = nowMs + lockLimits.firstMs;
    await claim(later);
    await giveBack();
    await claim(later);
    await expect(claim(later)).rejects.toMatchObject({ code: 'rate_limit' });
  });
});
