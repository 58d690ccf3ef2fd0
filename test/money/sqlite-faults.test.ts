/** What a service does whose embedded database can not be written, or is not where it was. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, cpSync, renameSync, rmSync } from 'node:fs';
import { sql } from 'kysely';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Database } from '../../server/db/db.ts';
import { migrate } from '../../server/db/migrate.ts';
import { embeddedFile } from '../../server/db/open.ts';
import { openSqlite } from '../../server/db/sqlite/sqlite.ts';
import { must } from '../../server/lib/assert.ts';
import { type Clock, systemClock } from '../../server/lib/clock.ts';
import { readWallet } from '../../server/wallets/wallet-store.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { picturesOf } from '../support/callers/answers.ts';
import { type Answer, answerOf } from '../support/callers/api.ts';
import { expectTryAgain } from '../support/callers/try-again.ts';
import { generation } from '../support/callers/ways-to-ask.ts';
import { amount } from '../support/console/test-admin.ts';
import { hurriedClock } from '../support/hurried-clock.ts';
import { addSpender, violationsOf, walletOf } from '../support/money/spending.ts';
import { patience } from '../support/patience.ts';
import { asNobody } from '../support/processes/as-nobody.ts';
import {
  askService,
  equip,
  startService as startServiceProcess,
} from '../support/processes/service-process.ts';
import { makeScratchFolder } from '../support/scratch.ts';
import { thrownBy } from '../support/thrown-by.ts';

const full = '100.00 balance, 0.00 held, 0 slots';
const charged = '99.96 balance, 0.00 held, 0 slots';

interface Service {
  app: TestApp;
  database: Database;
  ask: (fields?: Record<string, unknown>) => Promise<Answer>;
  wallet: () => Promise<string>;
}

async function startService(
  dataDir = scratchFolder(),
  clock: Clock = hurriedClock(50),
): Promise<Service> {
  const app = await startTestApp({ url: null, dataDir }, { clock });
  onTestFinished(() => app.stop());
  const { database } = app;
  const user = await app.addUser();
  return {
    app,
    database,
    wallet: () => walletOf(database, user.id),
    ask: async (fields = {}) => {
      const { headers, body } = generation.write(fields);
      const sent = { ...headers, authorization: `Bearer ${user.apiKey}` };
      const address = `${app.baseUrl}${generation.path}`;
      return answerOf(await fetch(address, { method: 'POST', headers: sent, body }));
    },
  };
}

function scratchFolder(): string {
  const folder = makeScratchFolder('faults');
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

describe('an embedded database', () => {
  it('that has no room left charges nothing, and goes on when there is room', async () => {
    const { ask, database, wallet } = await startService();
    await allowPages(database, await pagesOf(database));
    let pictures = 0;
    let answer = await ask();
    // What is there of the last pages is used first.
    for (; answer.status === 200; answer = await ask()) pictures++;
    expectTryAgain(answer);
    await allowPages(database, pagesMax);
    await expect
      .poll(wallet)
      .toBe(`${(100 - 0.04 * pictures).toFixed(2)} balance, 0.00 held, 0 slots`);
    expect(picturesOf(await ask())).toHaveLength(1);
    expect(await violationsOf(database)).toEqual([]);
  });

  it('that only reads makes the service not ready, until it writes again', async () => {
    const { app, database } = await startService();
    const readiness = async () => (await fetch(`${app.baseUrl}/readyz`)).status;
    await expect.poll(readiness, patience).toBe(200);
    await setReadOnly(database, true);
    await expect.poll(readiness, patience).toBe(503);
    await setReadOnly(database, false);
    await expect.poll(readiness, patience).toBe(200);
  });

  it('whose files may not grow any more charges for no picture that was not sent', async () => {
    const location = { url: null, dataDir: scratchFolder() };
    const file = embeddedFile(location.dataDir);
    const before = openSqlite(file);
    await migrate(before);
    await equip(before);
    const spender = await addSpender(before, '100');
    await before.close();

    // The system itself refuses the write, at whatever step the log has grown so far.
    const cramped = await startServiceProcess(location, {}, ['sh', '-c', growthLimited]);
    let sent = 0;
    let answer = await askService(cramped, spender);
    for (; answer.status === 200; answer = await askService(cramped, spender)) sent++;
    expectTryAgain(answer);
    expect(sent).toBeGreaterThan(0);
    cramped.kill('SIGKILL');
    await cramped.exit;

    const roomy = await startServiceProcess(location);
    expect((await askService(roomy, spender)).status).toBe(200);
    roomy.kill('SIGTERM');
    await roomy.exit;
    const after = openSqlite(file);
    onTestFinished(() => after.close());
    expect(await violationsOf(after)).toEqual([]);
    const { balance, held } = must(await readWallet(after, spender.userId), 'a wallet');
    expect(held).toBe(0);
    // What was sent last may be free: the notes that it was handed over did not fit either.
    const paid = (amount('100') - balance) / amount('0.04');
    expect(paid).toBeLessThanOrEqual(sent + 1);
    expect(paid).toBeGreaterThanOrEqual(sent - 2);
  });

  it('that has no room to settle sends no picture, and frees what was held', async () => {
    const { ask, database, wallet } = await startService();
    const answer = ask({ prompt: 'a fox [[delay=20s]] [[actual=32x32]]' });
    await expect.poll(wallet, patience).toBe('100.00 balance, 0.04 held, 1 slots');
    await setReadOnly(database, true);
    expectTryAgain(await answer);
    await setReadOnly(database, false);
    await expect.poll(wallet, patience).toBe(full);
    expect(picturesOf(await ask())).toHaveLength(1);
    expect(await violationsOf(database)).toEqual([]);
  });

  it('that only reads admits nothing until it writes again', async () => {
    const { ask, database, wallet } = await startService();
    await setReadOnly(database, true);
    expectTryAgain(await ask());
    await setReadOnly(database, false);
    expect(await wallet()).toBe(full);
    expect(picturesOf(await ask())).toHaveLength(1);
    expect(await wallet()).toBe(charged);
    expect(await violationsOf(database)).toEqual([]);
  });

  it('whose folder is moved away or deleted beneath the service charges nothing that is lost with it', async () => {
    const folder = scratchFolder();
    const { app, ask, database, wallet } = await startService(folder);
    const readiness = async () => (await fetch(`${app.baseUrl}/readyz`)).status;
    const answer = ask({ prompt: 'a fox [[delay=20s]] [[actual=32x32]]' });
    await expect.poll(wallet, patience).toBe('100.00 balance, 0.04 held, 1 slots');
    const elsewhere = `${folder}-moved`;
    onTestFinished(() => rmSync(elsewhere, { recursive: true, force: true }));
    renameSync(folder, elsewhere);
    expectTryAgain(await answer);
    expectTryAgain(await ask());
    await expect.poll(readiness, patience).toBe(503);
    // Another database in its place is not the one that the service knows.
    cpSync(elsewhere, folder, { recursive: true });
    expectTryAgain(await ask());
    rmSync(folder, { recursive: true });
    renameSync(elsewhere, folder);
    await expect.poll(readiness, patience).toBe(200);
    await expect.poll(wallet, patience).toBe(full);
    expect(picturesOf(await ask())).toHaveLength(1);
    expect(await violationsOf(database)).toEqual([]);
  });

  it('that this account may not write keeps the service from starting, and says so', async () => {
    const folder = scratchFolder();
    const first = await startTestApp({ url: null, dataDir: folder });
    await first.stop();
    const file = embeddedFile(folder);
    chmodSync(file, 0o444);
    chmodSync(folder, 0o555);
    const error = await asNobody(() => thrownBy(startTestApp({ url: null, dataDir: folder })));
    expect(error).toMatchObject({ code: 'EACCES' });
    chmodSync(folder, 0o700);
    chmodSync(file, 0o600);
    const { ask, wallet } = await startService(folder);
    expect(picturesOf(await ask())).toHaveLength(1);
    expect(await wallet()).toBe(charged);
  });

  it('that another process locks for too long is told, and goes on afterwards', async () => {
    const folder = scratchFolder();
    const { ask, database, wallet } = await startService(folder, systemClock);
    const unlock = await lockElsewhere(embeddedFile(folder));
    expectTryAgain(await ask());
    await unlock();
    expect(picturesOf(await ask())).toHaveLength(1);
    await expect.poll(wallet, patience).toBe(charged);
    expect(await violationsOf(database)).toEqual([]);
  });

  it('that another process locks while a picture is made charges it when it is free again', async () => {
    const folder = scratchFolder();
    const { ask, database, wallet } = await startService(folder, systemClock);
    const answer = ask({ prompt: 'a fox [[delay=2s]] [[actual=32x32]]' });
    await expect.poll(wallet, patience).toBe('100.00 balance, 0.04 held, 1 slots');
    const unlock = await lockElsewhere(embeddedFile(folder));
    // By the time that this one is told so, the first has tried to settle.
    expectTryAgain(await ask());
    await unlock();
    expect(picturesOf(await answer)).toHaveLength(1);
    await expect.poll(wallet, patience).toBe(charged);
    expect(await violationsOf(database)).toEqual([]);
  });
});

/** A file of at most 2048 blocks, of 512 or 1024 bytes: less than the log grows to. */
const growthLimited = 'ulimit -f 2048; exec "$0" "$@"';

const pagesMax = 1_000_000;

async function pagesOf({ kysely }: Database): Promise<number> {
  const { rows } = await sql<{ page_count: number }>`pragma page_count`.execute(kysely);
  return must(rows[0], 'a number').page_count;
}

/** SQLite then reports a full disk when it needs another page. */
async function allowPages({ kysely }: Database, pages: number): Promise<void> {
  await sql`pragma max_page_count = ${sql.lit(pages)}`.execute(kysely);
}

/** As after a remount of the file system: the service's connection may only read. */
async function setReadOnly({ kysely }: Database, isReadOnly: boolean): Promise<void> {
  await sql`pragma query_only = ${sql.lit(isReadOnly ? 1 : 0)}`.execute(kysely);
}

const lockProgram = `
  const sqlite = require('better-sqlite3')(process.argv[1]);
  sqlite.exec('begin immediate');
  process.stdout.write('locked');
  process.stdin.resume().on('end', () => sqlite.close());
`;

/** Has another process write, and not come to an end until told; resolves when it has the lock. */
async function lockElsewhere(file: string): Promise<() => Promise<void>> {
  const other = spawn(process.execPath, ['-e', lockProgram, file], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const exit = once(other, 'exit');
  const unlock = async () => {
    other.stdin.end();
    await exit;
  };
  onTestFinished(unlock);
  await once(other.stdout, 'data');
  return unlock;
}
