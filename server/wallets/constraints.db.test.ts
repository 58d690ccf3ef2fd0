/** What the database itself refuses, whatever the code above it does. */
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { forEachEngine } from '../../test/support/databases/databases.ts';
import {
  addSpender,
  admissionOf,
  settlementOf,
  startProcess,
} from '../../test/support/money/spending.ts';
import { isCheckViolation, isDuplicate } from '../db/database-error.ts';
import type { Database } from '../db/db.ts';
import { admit, settle } from '../flows/money/hold-money.ts';
import { systemClock } from '../lib/clock.ts';

/** In them, `:user` stands for a user with 1.00, `:open` for an open hold of 0.10, `:settled` for a charged one. */
const refused = {
  check: [
    ['a balance below zero', `update wallets set balance = -1, held = 0 where user_id = ':user'`],
    [
      'a hold of more than there is',
      `update wallets set held = balance + 1 where user_id = ':user'`,
    ],
    ['less balance than is held', `update wallets set balance = held - 1 where user_id = ':user'`],
    ['less than nothing held', `update wallets set held = -1 where user_id = ':user'`],
    ['fewer than no slots', `update wallets set in_flight = -1 where user_id = ':user'`],
    ['a hold of a negative amount', `update holds set amount = -1 where trace_id = ':open'`],
    ['a hold in no known state', `update holds set state = 'lost' where trace_id = ':open'`],
    [
      'an ended hold without its time',
      `update holds set state = 'released' where trace_id = ':open'`,
    ],
    ['an open hold that has ended', `update holds set ended_at = 1 where trace_id = ':open'`],
    [
      'a settled hold without a cost',
      `update holds set state = 'settled', ended_at = 1 where trace_id = ':open'`,
    ],
    [
      'a hold with a cost that is not settled',
      `update holds set cost = 1 where trace_id = ':open'`,
    ],
    ['a cost above the hold', `update holds set cost = amount + 1 where trace_id = ':settled'`],
    ['a negative cost', `update holds set cost = -1 where trace_id = ':settled'`],
    [
      'an answer both delivered and refunded',
      `update holds set delivered_at = 1, refunded_at = 1 where trace_id = ':settled'`,
    ],
    ['a charge that adds money', insertTransaction({ kind: 'charge', amount: 1, trace: 'tr_x' })],
    ['a top-up that takes money', insertTransaction({ kind: 'top_up', amount: -1, trace: null })],
    ['a refund that takes money', insertTransaction({ kind: 'refund', amount: -1, trace: 'tr_x' })],
    ['a charge without a trace ID', insertTransaction({ kind: 'charge', amount: -1, trace: null })],
    ['a refund without a trace ID', insertTransaction({ kind: 'refund', amount: 1, trace: null })],
    ['an unknown kind', insertTransaction({ kind: 'gift', amount: 1, trace: null })],
    [
      'a negative balance in the ledger',
      insertTransaction({ kind: 'adjustment', amount: -1, trace: null, balanceAfter: -1 }),
    ],
    [
      'a cost that is not price × pictures',
      `update usage_records set cost = cost + 1 where trace_id = ':settled'`,
    ],
    [
      'a success without a picture',
      `update usage_records set images = 0, cost = 0 where trace_id = ':settled'`,
    ],
    [
      'a failure with pictures',
      `update usage_records set status = 'failed' where trace_id = ':settled'`,
    ],
    ['an unknown status', `update usage_records set status = 'lost' where trace_id = ':open'`],
    ['a price of nothing', `update models set price = 0 where id = 'gen-image-2'`],
    [
      'a negative price',
      `insert into prices (model_id, seq, amount, actor, created_at) values ('gen-image-2', 1, -1, 'test', 1)`,
    ],
  ],
  duplicate: [
    [
      'a second charge for one request',
      insertTransaction({ kind: 'charge', amount: -1, trace: ':settled' }),
    ],
    ['a second transaction of one number', insertTransaction({ kind: 'adjustment', seq: 1 })],
    ['a second hold of one request', insertHold(':settled')],
    ['a second wallet of one user', `insert into wallets (user_id, balance) values (':user', 0)`],
  ],
  orphan: [
    ['a wallet of nobody', `insert into wallets (user_id, balance) values ('nobody', 0)`],
    ['a hold on no wallet', insertHold('tr_y').replace(':user', 'nobody')],
    [
      'a transaction of no wallet',
      insertTransaction({ kind: 'adjustment' }).replace(':user', 'nobody'),
    ],
    ['the end of a user who has a wallet', `delete from users where id = ':user'`],
    ['the end of a wallet that has a history', `delete from wallets where user_id = ':user'`],
  ],
} as const;

forEachEngine((engine) => {
  let database: Database;
  let fill: (statement: string) => string;

  beforeAll(async () => {
    database = await engine.open();
    const spender = await addSpender(database, '1.00');
    const { id: processId } = await startProcess(database);
    const open = admissionOf(spender, { processId });
    const settled = admissionOf(spender, { processId });
    await admit(database, systemClock, open);
    await admit(database, systemClock, settled);
    await settle(database, systemClock, settlementOf(settled.traceId));
    fill = (statement) =>
      statement
        .replaceAll(':user', spender.userId)
        .replaceAll(':key', spender.apiKeyId)
        .replaceAll(':open', open.traceId)
        .replaceAll(':settled', settled.traceId);
  });

  const errorOf = (statement: string) =>
    database
      .transaction((trx) => sql.raw(fill(statement)).execute(trx.kysely))
      .then(
        () => null,
        (error: unknown) => error,
      );

  describe('the database', () => {
    it.each(refused.check)('has no %s', async (_name, statement) => {
      expect(await errorOf(statement)).toSatisfy(isCheckViolation);
    });

    it.each(refused.duplicate)('has no %s', async (_name, statement) => {
      expect(await errorOf(statement)).toSatisfy(isDuplicate);
    });

    it.each(refused.orphan)('has no %s', async (_name, statement) => {
      expect(await errorOf(statement)).toMatchObject({
        code: engine.name === 'sqlite' ? 'SQLITE_CONSTRAINT_FOREIGNKEY' : '23503',
      });
    });
  });
});

function insertTransaction({
  kind,
  amount = 1,
  trace = null,
  seq = 900,
  balanceAfter = 0,
}: {
  kind: string;
  amount?: number;
  trace?: string | null;
  seq?: number;
  balanceAfter?: number;
}): string {
  const traceId = trace === null ? 'null' : `'${trace}'`;
  return `insert into wallet_transactions
    (id, user_id, seq, kind, amount, balance_after, trace_id, actor, created_at)
    values ('txn_x', ':user', ${seq}, '${kind}', ${amount}, ${balanceAfter}, ${traceId}, 'test', 1)`;
}

function insertHold(traceId: string): string {
  return `insert into holds
    (trace_id, user_id, api_key_id, budget_month, process_id, amount, state, created_at)
    values ('${traceId}', ':user', ':key', '2026-11', 'proc_x', 1, 'open', 1)`;
}
