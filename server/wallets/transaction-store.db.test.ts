import { beforeAll, describe, expect, it } from 'vitest';
import { forEachEngine } from '../../test/support/databases/databases.ts';
import { fillLedger, ledgerSpender } from '../../test/support/history/filled-ledger.ts';
import type { Database } from '../db/db.ts';
import { listTransactions, type TransactionFilter } from './transaction-store.ts';

const spender = ledgerSpender(2);

forEachEngine((engine) => {
  let database: Database;

  beforeAll(async () => {
    database = await engine.open();
    await fillLedger(database, { wallets: 3, transactions: 20 });
  });

  async function readPages(filter: Omit<TransactionFilter, 'after' | 'limit'>, limit: number) {
    const pages = [];
    for (let after: string | undefined; ; ) {
      const page = await listTransactions(database, { ...filter, limit, after });
      if (page.length === 0) return pages;
      pages.push(page);
      after = page.at(-1)?.id;
    }
  }

  describe.each([
    ['of everybody', {}, [20, 19, 18, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1]],
    ['of one wallet', { userId: spender.userId }, [20, 17, 14, 11, 8, 5, 2]],
    ['of one wallet and kind', { userId: spender.userId, kind: 'top_up' }, [2]],
  ] as const)('the transactions %s', (_whose, filter, expected) => {
    it('come newest first, page by page, each once', async () => {
      const pages = await readPages(filter, 3);
      expect(pages.flat().map(({ id }) => Number(id.slice(-2)))).toEqual(expected);
      expect(pages.slice(0, -1).every((page) => page.length === 3)).toBe(true);
    });
  });

  it('of one wallet do not go on after a transaction of another', async () => {
    const [foreign] = await listTransactions(database, { ...ledgerSpender(1), limit: 1 });
    const page = { ...spender, limit: 3, after: foreign?.id };
    expect(await listTransactions(database, page)).toEqual([]);
  });
});
