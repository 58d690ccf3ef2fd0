/**
 * How soon the console shows its pages: the largest paint on a machine four times slower than this
 * one, over 10 Mbit/s, with nothing in the cache.
 *
 *     node bench/first-paint/main.ts
 */

import { rmSync } from 'node:fs';
import { chromium, type Page } from '@playwright/test';
import { startApp } from '../../server/app.ts';
import { loadConfig } from '../../server/config.ts';
import { openAccount } from '../../server/flows/open-account.ts';
import { openSession } from '../../server/flows/open-session.ts';
import { setUpSandbox } from '../../server/flows/set-up-sandbox.ts';
import { systemClock } from '../../server/lib/clock.ts';
import { createLogger } from '../../server/lib/logger.ts';
import { SecretBox } from '../../server/lib/secret-box.ts';
import { adapterKinds } from '../../server/upstreams/registry.ts';
import { amountFromMicros } from '../../shared/money.ts';
import { findChromium } from '../../test/e2e/support/chromium.ts';
import { makeScratchFolder } from '../../test/support/scratch.ts';
import { buildConsole, consoleFolder, isBuilt } from '../../web/build/build-console.ts';

const rounds = 5;
const slowdown = 4;
const bytesPerSecond = 10_000_000 / 8;
const paintMsMax = 1_500;
const paths = ['/login', '/playground'] as const;
const masterKey = Buffer.alloc(32, 7);

const found = findChromium();
if ('missing' in found) throw new Error(found.missing);
if (!isBuilt()) await buildConsole();
const dataDir = makeScratchFolder('first-paint');
const { config } = loadConfig({ dataDir, secretKey: masterKey.toString('base64') }, {});
const app = await startApp({
  config: { ...config, port: 0, upstreamCheckMs: 0 },
  clock: systemClock,
  log: createLogger('silent', { write: () => {} }),
  webFolder: consoleFolder,
});
const browser = await chromium.launch({ executablePath: found.path, args: ['--no-sandbox'] });
try {
  const session = await signIn();
  for (const path of paths) {
    const paints: number[] = [];
    for (let round = 0; round < rounds; round++) paints.push(await measurePaint(path, session));
    paints.sort((a, b) => a - b);
    const median = paints[Math.floor(rounds / 2)] ?? 0;
    const verdict = median <= paintMsMax ? 'within' : 'MORE THAN';
    const all = paints.map((ms) => ms.toFixed(0)).join(', ');
    process.stdout.write(
      `${path}: ${median.toFixed(0)} ms, ${verdict} ${paintMsMax} (of ${all})\n`,
    );
  }
} finally {
  await browser.close();
  await app.stop();
  rmSync(dataDir, { recursive: true, force: true });
}

/** Of a user with money, for an installation that can make pictures. */
async function signIn(): Promise<string> {
  const { database } = app;
  const admin = { database, clock: systemClock, actor: 'bench', reason: null };
  await setUpSandbox(admin, { kinds: adapterKinds, secretBox: new SecretBox(masterKey) });
  const email = 'user@example.com';
  const topUp = amountFromMicros(5_000_000);
  const user = await openAccount(admin, {
    email,
    name: 'User',
    role: 'admin',
    slotsMax: null,
    topUp,
  });
  const { secret } = await database.transaction((trx) =>
    openSession(trx, {
      userId: user.id,
      method: 'password',
      visitor: { userAgent: null, address: null },
      nowMs: systemClock.now(),
    }),
  );
  return secret;
}

async function measurePaint(path: (typeof paths)[number], session: string): Promise<number> {
  const context = await browser.newContext({ baseURL: app.baseUrl });
  try {
    if (path !== '/login') {
      await context.addCookies([{ name: 'tintype_session', value: session, url: app.baseUrl }]);
    }
    const page = await context.newPage();
    const devtools = await context.newCDPSession(page);
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
    await devtools.send('Network.enable');
    await devtools.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 0,
      downloadThroughput: bytesPerSecond,
      uploadThroughput: bytesPerSecond,
    });
    await page.goto(path, { waitUntil: 'networkidle' });
    return await largestPaint(page);
  } finally {
    await context.close();
  }
}

/** The last one that the browser has noted down; in its words, as the types here are those of Node. */
function largestPaint(page: Page): Promise<number> {
  return page.evaluate<number>(`new Promise((resolve) => {
    new PerformanceObserver((list) => resolve(list.getEntries().at(-1).startTime))
      .observe({ type: 'largest-contentful-paint', buffered: true });
  })`);
}
