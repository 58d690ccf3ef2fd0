/** How long the console takes to answer, with a long past behind it. */
import { startApp } from '../../server/app.ts';
import { loadConfig } from '../../server/config.ts';
import type { Database } from '../../server/db/db.ts';
import { openSession } from '../../server/flows/sign-in/open-session.ts';
import { systemClock } from '../../server/lib/clock.ts';
import { createLogger } from '../../server/lib/logger.ts';
import { historySpender } from '../../test/support/history/filled-history.ts';
import type { Location } from '../ledger/bench-databases.ts';

export interface Span {
  fromMs: number;
  toMs: number;
}

export interface PageTime {
  page: string;
  /** Of the first look, and of the one after it. */
  coldMs: number;
  warmMs: number;
  bytes: number;
}

const day = (ms: number) => new Date(ms).toISOString().slice(0, 10);
const dayMs = 24 * 3_600_000;

/** The pages of the busiest user, of an ordinary one, and of an administrator. */
export async function measurePages(location: Location, span: Span): Promise<readonly PageTime[]> {
  const secretKey = Buffer.alloc(32, 7).toString('base64');
  const { config } = loadConfig({ dataDir: location.dataDir, secretKey }, {});
  const app = await startApp({
    config: { ...config, databaseUrl: location.url, port: 0 },
    clock: systemClock,
    log: createLogger('silent', { write: () => {} }),
  });
  try {
    const busy = await cookieOf(app.database, historySpender(1).userId);
    const calm = await cookieOf(app.database, historySpender(2).userId);
    await makeAdmin(app.database, historySpender(3).userId);
    const admin = await cookieOf(app.database, historySpender(3).userId);
    const times: PageTime[] = [];
    for (const [who, path] of pagesOf(span)) {
      const cookie = { busy, calm, admin }[who];
      const read = () => readWhole(`${app.baseUrl}/api/console${path}`, cookie);
      const cold = await read();
      const warm = await read();
      const page = `${who} ${path.split('&tz')[0]}`;
      times.push({ page, coldMs: cold.ms, warmMs: warm.ms, bytes: warm.bytes });
    }
    return times;
  } finally {
    await app.stop();
  }
}

function pagesOf({
  fromMs,
  toMs,
}: Span): readonly (readonly ['busy' | 'calm' | 'admin', string])[] {
  const to = day(toMs);
  const zone = 'tz=Europe/Berlin';
  const month = `from=${day(toMs - 29 * dayMs)}&to=${to}&${zone}`;
  const year = `from=${day(fromMs)}&to=${to}&${zone}`;
  // As many days as fit into a file.
  const file = (shownDays: number) =>
    `from=${day(toMs - (shownDays + 9) * dayMs)}&to=${day(toMs - 10 * dayMs)}&${zone}`;
  return [
    ['calm', `/usage?${month}`],
    ['calm', `/usage/chart?${year}`],
    ['busy', `/usage?${month}`],
    ['busy', `/usage?status=failed&${month}`],
    ['busy', `/usage/chart?${month}`],
    ['busy', `/usage/sums?group=model&${month}`],
    ['busy', `/usage?${year}`],
    ['busy', `/usage/chart?${year}`],
    ['busy', `/wallet/transactions?${month}`],
    ['busy', `/wallet/chart?${month}`],
    ['busy', `/usage.csv?${file(10)}`],
    ['busy', '/keys'],
    ['admin', '/admin/overview'],
    ['admin', `/admin/log?${month}`],
    ['admin', `/admin/log?code=rate_limit&${month}`],
    ['admin', `/admin/log?upstream=studio&${month}`],
    ['admin', `/admin/log.csv?${file(2)}`],
    ['admin', '/admin/users'],
    ['admin', `/admin/users/${historySpender(1).userId}/wallet/transactions?${month}`],
    ['admin', '/admin/audit'],
  ];
}

async function readWhole(url: string, cookie: string): Promise<{ ms: number; bytes: number }> {
  const begun = performance.now();
  const response = await fetch(url, { headers: { cookie } });
  let bytes = 0;
  // Thrown away as it comes, so that no answer is held whole.
  // The stream of a fetch is of bytes.
  const body = response.body as ReadableStream<Uint8Array> | null;
  for await (const piece of body ?? []) bytes += piece.length;
  // A file may be refused as too long, which is an answer too.
  if (response.status >= 500) throw new Error(`${response.status} at ${url}`);
  return { ms: performance.now() - begun, bytes: response.status === 200 ? bytes : 0 };
}

async function cookieOf(database: Database, userId: string): Promise<string> {
  const { secret } = await database.transaction((trx) =>
    openSession(trx, {
      userId,
      method: 'password',
      visitor: { userAgent: null, address: null },
      nowMs: systemClock.now(),
    }),
  );
  return `tintype_session=${secret}`;
}

async function makeAdmin({ kysely }: Database, userId: string): Promise<void> {
  await kysely.updateTable('users').set({ role: 'admin' }).where('id', '=', userId).execute();
}
