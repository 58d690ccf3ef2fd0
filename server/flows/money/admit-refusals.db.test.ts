import { beforeEach, expect, it } from 'vitest';
import { amount, testAdmin } from '../../../test/support/console/test-admin.ts';
import { forEachEngine } from '../../../test/support/databases/databases.ts';
import { failing } from '../../../test/support/databases/failing-database.ts';
import { interceptTransactions } from '../../../test/support/databases/intercepted-database.ts';
import {
  addSpender,
  admissionOf,
  type Spender,
  settlementOf,
  startProcess,
  walletOf,
} from '../../../test/support/money/spending.ts';
import type { KeyLimits } from '../../accounts/key-budget.ts';
import type { Database } from '../../db/db.ts';
import { systemClock } from '../../lib/clock.ts';
import { changeKeyLimits } from '../keys/change-key-limits.ts';
import { type Admission, admit, settle } from './hold-money.ts';

forEachEngine((engine) => {
  let database: Database;
  let processId: string;

  beforeEach(async () => {
    database = await engine.open();
    processId = (await startProcess(database)).id;
  });

  async function spenderWith(money: string, limits: Partial<KeyLimits>): Promise<Spender> {
    const spender = await addSpender(database, money);
    await changeKeyLimits(testAdmin(database), spender.apiKeyId, limits);
    return spender;
  }

  const admitFor = (spender: Spender, changes: Partial<Admission> = {}, db = database) =>
    admit(db, systemClock, admissionOf(spender, { processId, ...changes }));

  it('is told of the slots of its key before it is told of money', async () => {
    const spender = await spenderWith('0.10', { slotsMax: 1 });
    await admitFor(spender);
    expect(await admitFor(spender)).toEqual({ kind: 'no_key_slot', slotsMax: 1 });
  });

  it('is told of money before it is told what its key may spend', async () => {
    const spender = await spenderWith('0.09', { spendMax: amount('0.05') });
    expect(await admitFor(spender)).toMatchObject({ kind: 'no_money' });
  });

  it('is told what its key may spend where the money is there to the last cent', async () => {
    const spender = await spenderWith('0.10', { spendMax: amount('0.05') });
    expect(await admitFor(spender)).toEqual({ kind: 'key_spent', limit: '0.05' });
  });

  it('is not tried again when the database does not say what came of it', async () => {
    const spender = await addSpender(database, '1.00');
    const connection = failing(database);
    connection.fates = ['is lost'];
    await expect(admitFor(spender, {}, connection)).rejects.toThrow('Connection terminated');
    expect(connection.writes).toBe(1);
  });

  it('is refused for a slot when what is in its way is gone at each look', async () => {
    const spender = await addSpender(database, '1.00');
    let tries = 0;
    const runChain: Database['runChain'] = async () => {
      tries++;
      return null;
    };
    const crowded = { ...interceptTransactions(database, {}), runChain };
    expect(await admitFor(spender, {}, crowded)).toEqual({ kind: 'no_slot' });
    expect(tries).toBe(5);
    expect(await walletOf(database, spender.userId)).toBe('1.00 balance, 0.00 held, 0 slots');
  });

  it('is told the balance by its charge, whatever else is held then', async () => {
    const spender = await addSpender(database, '1.00');
    const terms = admissionOf(spender, { processId });
    await admit(database, systemClock, terms);
    await admitFor(spender, { images: 3 });
    expect(await settle(database, systemClock, settlementOf(terms.traceId))).toEqual({
      cost: amount('0.10'),
      balance: amount('0.90'),
    });
  });
});
