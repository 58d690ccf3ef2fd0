/** What is read of an embedded database whose write-ahead log was torn by a crash. */
import { cpSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { migrate } from '../../server/db/migrate.ts';
import { embeddedFile } from '../../server/db/open.ts';
import { openSqlite } from '../../server/db/sqlite/sqlite.ts';
import { admit, release, settle } from '../../server/flows/money/hold-money.ts';
import { must } from '../../server/lib/assert.ts';
import { systemClock } from '../../server/lib/clock.ts';
import {
  addSpender,
  admissionOf,
  settlementOf,
  startProcess,
  violationsOf,
  walletOf,
} from '../support/money/spending.ts';
import { makeScratchFolder } from '../support/scratch.ts';

describe('a log that a crash tore', () => {
  it('is read up to the last commit before the tear', async () => {
    const { file, log, states } = await writeHistory();
    const tears = states.flatMap(({ logBytes }) => [logBytes, logBytes + 30, logBytes + 4_000]);
    for (const at of tears.filter((each) => each < log.length)) {
      const expected = must(
        states.findLast(({ logBytes }) => logBytes <= at),
        'a state',
      );
      const cut = log.subarray(0, at);
      const flipped = Buffer.from(log);
      flipped.writeUInt8(flipped.readUInt8(at) ^ 1, at);
      for (const [how, torn] of Object.entries({ cut, flipped })) {
        expect([at, how, await reopen(file, torn, expected.userId)]).toEqual([
          at,
          how,
          expected.wallet,
        ]);
      }
    }
  });
});

interface CommittedState {
  userId: string;
  wallet: string;
  /** How long the log was when this was committed. */
  logBytes: number;
}

/** The files of a database as a crash leaves them, and what each commit made of a wallet. */
async function writeHistory() {
  const file = embeddedFile(scratchFolder());
  const database = openSqlite(file);
  onTestFinished(() => database.close());
  await migrate(database);
  const spender = await addSpender(database, '1.00');
  const process = await startProcess(database);
  const { userId } = spender;
  const states: CommittedState[] = [];
  const commit = async (work: Promise<unknown>) => {
    await work;
    const wallet = await walletOf(database, userId);
    states.push({ userId, wallet, logBytes: statSync(`${file}-wal`).size });
  };
  await commit(Promise.resolve());
  for (const ending of ['settle', 'release', 'settle', 'release', 'settle']) {
    const admission = admissionOf(spender, { processId: process.id });
    const { traceId } = admission;
    await commit(admit(database, systemClock, admission));
    const failure = { traceId, status: 'failed', code: 'upstream_error', attempts: '[]' } as const;
    await commit(
      ending === 'settle'
        ? settle(database, systemClock, settlementOf(traceId))
        : release(database, systemClock, failure),
    );
  }
  // Not closed: closing would put the log into the database.
  return { file, log: readFileSync(`${file}-wal`), states };
}

/** Opens a copy of the database with this log; the wallet, if the books are right. */
async function reopen(file: string, log: Buffer, userId: string): Promise<string> {
  const copy = embeddedFile(scratchFolder());
  cpSync(file, copy);
  writeFileSync(`${copy}-wal`, log);
  const database = openSqlite(copy);
  try {
    await migrate(database);
    expect(await violationsOf(database)).toEqual([]);
    return await walletOf(database, userId);
  } finally {
    await database.close();
  }
}

function scratchFolder(): string {
  const folder = makeScratchFolder('torn-log');
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
