/** The console of an installation of its own, and a browser to open it in. */
import { rmSync } from 'node:fs';
import { type Browser, chromium } from '@playwright/test';
import { type App, startApp } from '../server/app.ts';
import { loadConfig } from '../server/config.ts';
import { setUpSandbox } from '../server/flows/installation/set-up-sandbox.ts';
import { openSession } from '../server/flows/sign-in/open-session.ts';
import { openAccount } from '../server/flows/users/open-account.ts';
import { systemClock } from '../server/lib/clock.ts';
import { createLogger } from '../server/lib/logger.ts';
import { SecretBox } from '../server/lib/secret-box.ts';
import { adapterKinds } from '../server/upstreams/registry.ts';
import { amountFromMicros } from '../shared/money.ts';
import { findChromium } from '../test/e2e/support/chromium.ts';
import { makeScratchFolder } from '../test/support/scratch.ts';
import { buildConsole, consoleFolder, isBuilt } from '../web/build/build-console.ts';

const masterKey = Buffer.alloc(32, 7);

export interface OpenConsole {
  browser: Browser;
  baseUrl: string;
  userId: string;
  sessionCookie: { name: string; value: string; url: string };
  close: () => Promise<void>;
}

export async function openConsole(): Promise<OpenConsole> {
  const found = findChromium();
  if ('missing' in found) throw new Error(found.missing);
  if (!isBuilt()) await buildConsole();
  const dataDir = makeScratchFolder('console-in-browser');
  const { config } = loadConfig({ dataDir, secretKey: masterKey.toString('base64') }, {});
  const app = await startApp({
    config: { ...config, port: 0, upstreamCheckMs: 0 },
    clock: systemClock,
    log: createLogger('silent', { write: () => {} }),
    webFolder: consoleFolder,
  });
  const { userId, secret } = await signIn(app);
  const browser = await chromium.launch({ executablePath: found.path, args: ['--no-sandbox'] });
  return {
    browser,
    baseUrl: app.baseUrl,
    userId,
    sessionCookie: { name: 'tintype_session', value: secret, url: app.baseUrl },
    close: async () => {
      await browser.close();
      await app.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** As a user with money, of an installation that can make pictures. */
async function signIn({ database }: App): Promise<{ userId: string; secret: string }> {
  const admin = { database, clock: systemClock, actor: 'bench', reason: null };
  await setUpSandbox(admin, { kinds: adapterKinds, secretBox: new SecretBox(masterKey) });
  const { id: userId } = await openAccount(admin, {
    email: 'user@example.com',
    name: 'User',
    role: 'admin',
    slotsMax: null,
    topUp: amountFromMicros(5_000_000),
  });
  const { secret } = await database.transaction((trx) =>
    openSession(trx, {
      userId,
      method: 'password',
      visitor: { userAgent: null, address: null },
      nowMs: systemClock.now(),
    }),
  );
  return { userId, secret };
}
