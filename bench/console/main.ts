/**
 * Whether what the console reads keeps the service waiting: how long this process's event loop stood
 * still at most while one user with a long past looks at their pages and takes them home as files.
 *
 *     node bench/console/main.ts
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { startApp } from '../../server/app.ts';
import { loadConfig } from '../../server/config.ts';
import { analyzeTables } from '../../server/db/engine.ts';
import { openSession } from '../../server/flows/sign-in/open-session.ts';
import { systemClock } from '../../server/lib/clock.ts';
import { createLogger } from '../../server/lib/logger.ts';
import { fillLedger, ledgerSpender } from '../../test/support/history/filled-ledger.ts';

const rows = 100_000;
/** The rows of `fillLedger` are a millisecond apart, from the first of January on. */
const range = 'from=2026-01-01&to=2026-01-31&tz=Europe/Berlin';
const pages = [
  `/usage?${range}`,
  `/usage?${range}&status=failed`,
  `/usage/chart?${range}`,
  `/usage/sums?group=day&${range}`,
  `/usage/sums?group=model&${range}`,
  `/usage.csv?${range}`,
  `/wallet/transactions?${range}`,
  `/wallet/chart?${range}`,
  `/wallet/transactions.csv?${range}`,
  '/keys',
  '/models',
] as const;

const idleMs = 3_000;

const dataDir = mkdtempSync(join(tmpdir(), 'tintype-bench-'));
const secretKey = Buffer.alloc(32, 7).toString('base64');
const { config } = loadConfig({ dataDir, secretKey }, {});
const app = await startApp({
  config: { ...config, port: 0 },
  clock: systemClock,
  log: createLogger('silent', { write: () => {} }),
});
try {
  await fillLedger(app.database, { wallets: 1, transactions: rows });
  await app.database.transaction((trx) =>
    analyzeTables(trx, ['usage_records', 'wallet_transactions']),
  );
  const { secret } = await app.database.transaction((trx) =>
    openSession(trx, {
      userId: ledgerSpender(1).userId,
      method: 'password',
      visitor: { userAgent: null, address: null },
      nowMs: systemClock.now(),
    }),
  );
  const headers = { cookie: `tintype_session=${secret}` };
  for (const round of ['cold', 'warm']) {
    // What the machine itself keeps waiting, busy as it is with others.
    const idle = await measure(() => systemClock.sleep(idleMs));
    process.stdout.write(`${round}  ${idle}  nothing at all\n`);
    for (const path of pages) {
      const measured = await measure(() => read(`${app.baseUrl}/api/console${path}`, headers));
      process.stdout.write(`${round}  ${measured}  ${path}\n`);
    }
  }
} finally {
  await app.stop();
  rmSync(dataDir, { recursive: true, force: true });
}

async function read(url: string, headers: Record<string, string>): Promise<void> {
  const response = await fetch(url, { headers });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${response.status} ${text}`);
}

async function measure(work: () => Promise<void>): Promise<string> {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const begun = performance.now();
  await work();
  const took = performance.now() - begun;
  delay.disable();
  const stood = delay.max / 1e6;
  return `${took.toFixed(0).padStart(6)} ms, still for ${stood.toFixed(1).padStart(6)} ms at most`;
}
