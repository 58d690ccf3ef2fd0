/** Each invariant broken by hand, once the constraints that guard it are out of the way. */
import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { forEachEngine } from '../../../test/support/databases/databases.ts';
import {
  addSpender,
  admissionOf,
  type Spender,
  settlementOf,
  startProcess,
  violationsOf,
} from '../../../test/support/money/spending.ts';
import type { Database } from '../../db/db.ts';
import { systemClock } from '../../lib/clock.ts';
import { markDelivered } from '../../wallets/delivery-store.ts';
import { admit, release, settle } from './hold-money.ts';
import { refundOwn } from './refund-undelivered.ts';
import { verifyBooks } from './verify-books.ts';

const keyInvariant = 'a key has spent what its requests were charged, and holds what they hold';

/**
 * In them, `:user` with the key `:key` has 5.00 and paid for `:paid`, holds 0.10 for `:open`, got
 * `:returned` back, and `:failed` cost nothing. The violations name what `about` stands for.
 */
const breakages: readonly {
  breaks: string;
  by: string;
  about: string;
  invariants: readonly string[];
}[] = [
  {
    breaks: 'a wallet that is gone',
    by: `delete from wallets`,
    about: ':user',
    invariants: ['a user has a wallet, a wallet its user, and a key its budget'],
  },
  {
    breaks: 'money that no transaction explains',
    by: `update wallets set balance = balance + 1 where user_id = ':user'`,
    about: ':user',
    invariants: ['balance = Σ transactions = last balance_after'],
  },
  {
    breaks: 'a transaction that was changed',
    by: `update wallet_transactions set amount = amount + 1 where seq = 1`,
    about: ':user',
    invariants: [
      'balance = Σ transactions = last balance_after',
      'each balance_after = the one before + amount',
    ],
  },
  {
    breaks: 'a transaction that vanished',
    by: `delete from wallet_transactions where seq = 1`,
    about: ':user',
    invariants: [
      'balance = Σ transactions = last balance_after',
      'each balance_after = the one before + amount',
    ],
  },
  {
    breaks: 'a balance_after that was changed',
    by: `update wallet_transactions set balance_after = balance_after + 1 where seq = 2`,
    about: ':user',
    invariants: ['each balance_after = the one before + amount'],
  },
  {
    breaks: 'an amount held for nothing',
    by: `update wallets set held = held + 1 where user_id = ':user'`,
    about: ':user',
    invariants: ['held = Σ open holds and in_flight = their number'],
  },
  {
    breaks: 'a slot taken by nothing',
    by: `update wallets set in_flight = in_flight + 1 where user_id = ':user'`,
    about: ':user',
    invariants: ['held = Σ open holds and in_flight = their number'],
  },
  {
    breaks: 'less money than is held',
    by: `update holds set amount = 9000000 where trace_id = ':open';
      update key_budgets set held = 9000000;
      update wallets set held = 9000000 where user_id = ':user'`,
    about: ':user',
    invariants: ['available ≥ 0'],
  },
  {
    breaks: 'a charge of another amount than the cost',
    by: `update holds set cost = cost - 1 where trace_id = ':paid'`,
    about: ':paid',
    invariants: ['a settled hold has one charge of its cost, every other hold none'],
  },
  {
    breaks: 'a charge for a hold that was released',
    by: `insert into wallet_transactions
        (id, user_id, seq, kind, amount, balance_after, trace_id, actor, created_at)
        select 'txn_x', user_id, transaction_count + 1, 'charge', 0, balance, ':failed', 'x', 1
        from wallets;
      update wallets set transaction_count = transaction_count + 1`,
    about: ':failed',
    invariants: ['a settled hold has one charge of its cost, every other hold none'],
  },
  {
    breaks: 'a charge without a hold',
    by: `delete from holds where trace_id = ':paid';
      update key_budgets set spent = spent - 100000`,
    about: ':paid',
    invariants: ['every charge has its hold'],
  },
  {
    breaks: 'a charge without a hold or a record',
    by: `delete from holds where trace_id = ':paid';
      delete from usage_records where trace_id = ':paid';
      update key_budgets set spent = spent - 100000`,
    about: ':paid',
    invariants: ['every charge has its hold'],
  },
  {
    breaks: 'a charge from another wallet than its hold',
    by: `update holds set user_id = 'usr_x' where trace_id = ':paid';
      update usage_records set user_id = 'usr_x' where trace_id = ':paid'`,
    about: ':paid',
    invariants: ['every charge has its hold'],
  },
  {
    breaks: 'a second charge',
    by: `drop index wallet_transactions_one_movement;
      insert into wallet_transactions
        (id, user_id, seq, kind, amount, balance_after, trace_id, actor, created_at)
        select 'txn_x', user_id, transaction_count + 1, 'charge', -100000, balance - 100000, ':paid', 'x', 1
        from wallets;
      update wallets set transaction_count = transaction_count + 1, balance = balance - 100000;
      update key_budgets set spent = spent + 100000`,
    about: ':paid',
    invariants: ['a succeeded record has one charge of its cost, every other record none net'],
  },
  {
    breaks: 'a refund without its charge',
    by: `insert into wallet_transactions
        (id, user_id, seq, kind, amount, balance_after, trace_id, actor, created_at)
        select 'txn_x', user_id, transaction_count + 1, 'refund', 0, balance, ':failed', 'x', 1
        from wallets;
      update wallets set transaction_count = transaction_count + 1`,
    about: ':failed',
    invariants: ['a refund has its charge and is never more than it'],
  },
  {
    breaks: 'a refund that is marked and was not made',
    by: `update holds set refunded_at = 1, delivered_at = null where trace_id = ':paid'`,
    about: ':paid',
    invariants: ['a hold marked as refunded got its whole cost back'],
  },
  {
    breaks: 'a key that has spent more than it was charged',
    by: `update key_budgets set spent = spent + 1`,
    about: ':key',
    invariants: [keyInvariant],
  },
  {
    breaks: 'a key that has forgotten what it spent in its month',
    by: `update key_budgets set spent_in_month = 0`,
    about: ':key',
    invariants: [keyInvariant],
  },
  {
    breaks: 'a key that holds less than its requests',
    by: `update key_budgets set held = held - 1`,
    about: ':key',
    invariants: [keyInvariant],
  },
  {
    breaks: 'a slot of a key taken by nothing',
    by: `update key_budgets set in_flight = in_flight + 1`,
    about: ':key',
    invariants: [keyInvariant],
  },
  {
    breaks: 'a success that cost nothing',
    by: `update usage_records set status = 'succeeded', images = 1, unit_price = 0
      where trace_id = ':failed'`,
    about: ':failed',
    invariants: ['a succeeded record has one charge of its cost, every other record none net'],
  },
  {
    breaks: 'a failure that cost something',
    by: `update usage_records set status = 'failed', images = 0, cost = 0 where trace_id = ':paid'`,
    about: ':paid',
    invariants: ['a succeeded record has one charge of its cost, every other record none net'],
  },
  {
    breaks: 'a record that runs without a hold',
    by: `update usage_records set status = 'running' where trace_id = ':failed'`,
    about: ':failed',
    invariants: ['a record is running exactly as long as its hold is open'],
  },
  {
    breaks: 'a record that runs, whose hold is gone',
    by: `delete from holds where trace_id = ':failed';
      update usage_records set status = 'running' where trace_id = ':failed'`,
    about: ':failed',
    invariants: ['a record is running exactly as long as its hold is open'],
  },
  {
    breaks: 'a hold whose record has ended',
    by: `update usage_records set status = 'failed' where trace_id = ':open'`,
    about: ':open',
    invariants: ['a record is running exactly as long as its hold is open'],
  },
  {
    breaks: 'a hold without a record',
    by: `delete from usage_records where trace_id = ':failed'`,
    about: ':failed',
    invariants: ['every hold has its usage record'],
  },
  {
    breaks: 'a record of another user than its hold',
    by: `update usage_records set user_id = 'usr_x' where trace_id = ':paid'`,
    about: ':paid',
    invariants: ['every hold has its usage record'],
  },
  {
    breaks: 'an open hold that nobody sweeps',
    by: `delete from processes; update holds set created_at = 1 where trace_id = ':open'`,
    about: ':open',
    invariants: ['no hold is older than its lease'],
  },
  {
    breaks: 'a charge for nothing that nobody sweeps',
    by: `delete from processes;
      update holds set delivered_at = null, ended_at = 1 where trace_id = ':paid'`,
    about: ':paid',
    invariants: ['no hold is older than its lease'],
  },
  {
    breaks: 'a charge for nothing whose claim is over',
    by: `delete from processes;
      update holds set delivered_at = null, ended_at = 1, claimed_until = 1 where trace_id = ':paid'`,
    about: ':paid',
    invariants: ['no hold is older than its lease'],
  },
];

forEachEngine((engine) => {
  let database: Database;
  let spender: Spender;
  let named: Record<string, string>;

  beforeEach(async () => {
    database = await engine.open();
    spender = await addSpender(database, '5.00');
    named = {
      ':user': spender.userId,
      ':key': spender.apiKeyId,
      ...(await liveALittle(database, spender)),
    };
  });

  const filled = (text: string) =>
    Object.entries(named).reduce((rest, [name, id]) => rest.replaceAll(name, id), text);

  describe('the books', () => {
    it('are clean after every kind of ending, and counted', async () => {
      expect(await verifyBooks(database)).toEqual({
        wallets: 1,
        transactions: 4,
        usageRecords: 4,
        openHolds: 1,
        violations: [],
      });
    });

    it('of an installation that has done nothing are clean', async () => {
      expect(await violationsOf(await engine.open())).toEqual([]);
    });

    it.each(breakages)('show $breaks', async ({ by, about, invariants }) => {
      await withoutGuards(database, filled(by));
      const { violations } = await verifyBooks(database);
      for (const invariant of invariants) {
        expect(violations).toContainEqual(
          expect.objectContaining({ invariant, subject: filled(about) }),
        );
      }
    });

    it('are clean while a delivery is claimed, whatever became of its process', async () => {
      const later = String(systemClock.now() + 60_000);
      const claimed = `delivered_at = null, ended_at = 1, claimed_until = ${later}`;
      await withoutGuards(
        database,
        filled(`delete from processes where id <> (select process_id from holds where state = 'open');
          update holds set ${claimed} where trace_id = ':paid';
          update wallet_transactions set created_at = 1 where trace_id = ':paid'`),
      );
      expect(await violationsOf(database)).toEqual([]);
    });

    it('show an offender of each wallet, not only the first', async () => {
      await addSpender(database, '1.00');
      await withoutGuards(database, 'update wallets set balance = balance + 1');
      expect(await violationsOf(database)).toHaveLength(2);
    });
  });
});

async function liveALittle(database: Database, spender: Spender): Promise<Record<string, string>> {
  const { id: processId } = await startProcess(database);
  const live = async () => {
    const terms = admissionOf(spender, { processId });
    await admit(database, systemClock, terms);
    return terms.traceId;
  };
  const [open, paid, failed, returned] = [await live(), await live(), await live(), await live()];
  await settle(database, systemClock, settlementOf(paid));
  await database.transaction((trx) => markDelivered(trx, [paid], systemClock.now()));
  await release(database, systemClock, {
    traceId: failed,
    status: 'failed',
    code: 'upstream_error',
    attempts: '[]',
  });
  await settle(database, systemClock, settlementOf(returned));
  await refundOwn(database, systemClock, { traceId: returned, code: 'client_gone' });
  return { ':open': open, ':paid': paid, ':failed': failed, ':returned': returned };
}

/** Runs statements as if no constraint were there. */
async function withoutGuards(database: Database, statements: string): Promise<void> {
  const run = (text: string) => sql.raw(text).execute(database.kysely);
  if (database.engine === 'sqlite') {
    await run('pragma ignore_check_constraints = on');
    await run('pragma foreign_keys = off');
  } else {
    await run(`do $$ declare found record; begin
      for found in select conrelid::regclass as place, conname from pg_constraint
        where contype in ('c', 'f') and connamespace = 'public'::regnamespace
      loop execute format('alter table %s drop constraint %I', found.place, found.conname); end loop;
    end $$`);
  }
  for (const statement of statements.split(';')) await run(statement);
}
