/** Writes that share a commit, while SQLite fails at one of their statements: at each of them in turn. */
import { cpSync, rmSync } from 'node:fs';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { Database } from '../../server/db/db.ts';
import { migrate } from '../../server/db/migrate.ts';
import { embeddedFile } from '../../server/db/open.ts';
import { openSqlite } from '../../server/db/sqlite/sqlite.ts';
import { admit, release, settle } from '../../server/flows/money/hold-money.ts';
import { refundOwn } from '../../server/flows/money/refund-undelivered.ts';
import { systemClock as clock } from '../../server/lib/clock.ts';
import { markDelivered, readHold } from '../../server/wallets/delivery-store.ts';
import { FaultyStatements, type StatementFault } from '../support/databases/faulty-statements.ts';
import { interceptTransactions } from '../support/databases/intercepted-database.ts';
import {
  addSpender,
  admissionOf,
  type Spender,
  settlementOf,
  startProcess,
  violationsOf,
} from '../support/money/spending.ts';
import { makeScratchFolder } from '../support/scratch.ts';

/** More than the writes have statements, so that one which never ends is told. */
const statementsMax = 1_000;

describe('of writes that share a commit', () => {
  let file: string;
  let stage: Stage;
  beforeEach(async () => {
    file = embeddedFile(scratchFolder());
    stage = await setStage(file);
  });

  it.each<StatementFault>(['fails', 'ends the transaction'])(
    'each happens as a whole or not at all, and as it is told, when a statement %s',
    async (fault) => {
      const statements = new FaultyStatements();
      let at = 1;
      for (; at < statementsMax; at++) {
        const copy = embeddedFile(scratchFolder());
        cpSync(file, copy);
        const database = openSqlite(copy);
        statements.arm({ fault, at });
        const told = await Promise.all(writesOf(database, stage).map(outcomeOf));
        const hasHappened = statements.disarm();
        expect({ at, told }).toEqual({ at, told: await doneOf(database, stage) });
        expect({ at, violations: await violationsOf(readHere(database)) }).toEqual({
          at,
          violations: [],
        });
        // It goes on as if nothing had been.
        const { processId, spender } = stage;
        const next = await admit(database, clock, admissionOf(spender, { processId }));
        expect({ at, next }).toEqual({ at, next: { kind: 'admitted' } });
        await database.close();
        if (!hasHappened) break;
      }
      // All of them together, and each for itself.
      expect(at).toBeGreaterThan(60);
      expect(at).toBeLessThan(statementsMax);
    },
  );
});

interface Stage {
  spender: Spender;
  processId: string;
  traceIds: Record<'settled' | 'released' | 'delivered' | 'returned', string>;
  /** Admitted in the end, and one whose Idempotency-Key is taken. */
  admissions: Record<'new' | 'taken', ReturnType<typeof admissionOf>>;
}

/** Requests that wait for the writes. */
async function setStage(file: string): Promise<Stage> {
  const database = openSqlite(file);
  await migrate(database);
  const spender = await addSpender(database, '10.00');
  const { id: processId } = await startProcess(database);
  const begin = async (key: string | null = null) => {
    const idempotency = key === null ? null : { key, fingerprint: 'of the request' };
    const admission = admissionOf(spender, { processId, idempotency });
    await admit(database, clock, admission);
    return admission.traceId;
  };
  const charge = async () => {
    const traceId = await begin();
    await settle(database, clock, settlementOf(traceId));
    return traceId;
  };
  const traceIds = {
    settled: await begin('taken'),
    released: await begin(),
    delivered: await charge(),
    returned: await charge(),
  };
  await database.close();
  const admissionWith = (key: string) =>
    admissionOf(spender, { processId, idempotency: { key, fingerprint: 'of the request' } });
  const admissions = { new: admissionWith('new'), taken: admissionWith('taken') };
  return { spender, processId, traceIds, admissions };
}

/** All at once; each answers whether it has happened. */
function writesOf(database: Database, { traceIds, admissions }: Stage): Promise<boolean>[] {
  const { settled, released, delivered, returned } = traceIds;
  const ending = { status: 'failed', code: 'upstream_error', attempts: '[]' } as const;
  const isAdmitted = async (kind: 'new' | 'taken') =>
    (await admit(database, clock, admissions[kind])).kind === 'admitted';
  return [
    settle(database, clock, settlementOf(settled)).then((charged) => charged !== null),
    release(database, clock, { traceId: released, ...ending }),
    isAdmitted('taken'),
    isAdmitted('new'),
    markDelivered(database, [delivered], clock.now()).then(() => true),
    refundOwn(database, clock, { traceId: returned, code: 'client_gone' }),
  ];
}

/** What failed is told not to have happened. */
function outcomeOf(write: Promise<boolean>): Promise<boolean> {
  return write.catch(() => false);
}

/** What has happened of the same writes. */
async function doneOf(database: Database, { traceIds, admissions }: Stage): Promise<boolean[]> {
  const { settled, released, delivered, returned } = traceIds;
  const stateOf = async (traceId: string) => (await readHold(database, traceId))?.state;
  return [
    (await stateOf(settled)) === 'settled',
    (await stateOf(released)) === 'released',
    (await stateOf(admissions.taken.traceId)) !== undefined,
    (await stateOf(admissions.new.traceId)) !== undefined,
    (await readHold(database, delivered))?.deliveredAt !== null,
    (await readHold(database, returned))?.refundedAt !== null,
  ];
}

/** Its snapshots need no thread of their own, which would take longer to start than all the rest. */
function readHere(database: Database): Database {
  return { ...interceptTransactions(database, {}), snapshot: (work) => work(database) };
}

function scratchFolder(): string {
  const folder = makeScratchFolder('statement-faults');
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
