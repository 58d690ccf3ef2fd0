/**
 * The console as its tests use it: the real service on a database of its own, with the sandbox, and
 * a real browser. One service and one browser for each file, a fresh browser context for each visit.
 *
 *     describeConsole((console) => {
 *       it('shows the balance', async () => {
 *         const { page } = await console.visit('/wallet', { user: await console.addUser() });
 *         await expect(page.getByRole('heading', { name: 'Wallet' })).toBeVisible();
 *       });
 *     });
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type LaunchOptions,
  type Page,
} from '@playwright/test';
import { afterAll, afterEach, beforeAll, describe, expect } from 'vitest';
import { openSession } from '../../../server/flows/sign-in/open-session.ts';
import { must } from '../../../server/lib/assert.ts';
import { consoleFolder } from '../../../web/build/build-console.ts';
import {
  startTestApp,
  type TestApp,
  type TestAppOptions,
  type TestUser,
  type TestUserOptions,
} from '../../support/app.ts';
import { makeScratchFolder } from '../../support/scratch.ts';
import { findChromium } from './chromium.ts';
import { addLag } from './lag.ts';

export interface VisitOptions {
  /** Who is signed in; nobody by default. */
  user?: Pick<TestUser, 'id'>;
  size?: keyof typeof sizes;
  theme?: 'light' | 'dark';
  language?: 'en' | 'zh-CN';
  /** Of the browser; UTC by default. */
  zone?: string;
  /** In a browser that keeps what it is given, as those of users do; limits of storage hold there. */
  isOnDisk?: boolean;
}

export const sizes = {
  desktop: { width: 1280, height: 800 },
  phone: { width: 390, height: 844 },
  narrow: { width: 320, height: 640 },
} as const;

export interface Visit {
  page: Page;
  context: BrowserContext;
}

export interface ConsoleBench {
  readonly app: TestApp;
  readonly browser: Browser;
  addUser(options?: TestUserOptions): Promise<TestUser>;
  /** Opens a page of the console and waits until its heading is there. */
  visit(path: string, options?: VisitOptions): Promise<Visit>;
  /** Makes somebody the one who is signed in, from the next page on. */
  signIn(context: BrowserContext, user: Pick<TestUser, 'id'>): Promise<void>;
}

/** What only a page that fails on purpose does; by default nothing may go wrong in the browser. */
export interface ConsoleOptions extends TestAppOptions {
  /** Messages of the browser that are part of the test. */
  expectedMessages?: RegExp;
}

export function describeConsole(
  body: (console: ConsoleBench) => void,
  { expectedMessages, ...options }: ConsoleOptions = {},
): void {
  const found = findChromium();
  const skipped = 'missing' in found ? { skip: true, meta: { skippedBecause: found.missing } } : {};
  describe('in a browser', skipped, () => {
    const bench = new Bench(found, options);
    beforeAll(() => bench.start());
    afterEach(async () => {
      const messages = await bench.endVisits();
      expect(messages.filter((message) => !expectedMessages?.test(message))).toEqual([]);
    });
    afterAll(() => bench.stop());
    body(bench);
  });
}

function launchOptions(executablePath: string): LaunchOptions {
  // Containers have no user namespaces to build a sandbox of.
  return { executablePath, args: ['--no-sandbox'] };
}

class Bench implements ConsoleBench {
  readonly #found: ReturnType<typeof findChromium>;
  readonly #options: TestAppOptions;
  #app: TestApp | null = null;
  #browser: Browser | null = null;
  #folder = '';
  #profiles = 0;
  #contexts: BrowserContext[] = [];
  #messages: string[] = [];

  constructor(found: ReturnType<typeof findChromium>, options: TestAppOptions) {
    this.#found = found;
    this.#options = options;
  }

  get app(): TestApp {
    return must(this.#app, 'a service that has started');
  }

  get browser(): Browser {
    return must(this.#browser, 'a browser that has started');
  }

  async start(): Promise<void> {
    if ('missing' in this.#found) return;
    this.#folder = makeScratchFolder('e2e');
    const location = { url: null, dataDir: this.#folder };
    this.#app = await startTestApp(location, { webFolder: consoleFolder, ...this.#options });
    // Without anybody, every page leads to the setup.
    if (!this.#options.isBare) await this.#app.addUser({ role: 'admin' });
    this.#browser = await chromium.launch(launchOptions(this.#found.path));
  }

  async stop(): Promise<void> {
    await this.#browser?.close();
    await this.#app?.stop();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  addUser(options: TestUserOptions = {}): Promise<TestUser> {
    return this.app.addUser(options);
  }

  async visit(path: string, options: VisitOptions = {}): Promise<Visit> {
    const { user, size = 'desktop', theme = 'light', language = 'en', zone = 'UTC' } = options;
    const context = await this.#openContext(options.isOnDisk ?? false, {
      viewport: sizes[size],
      hasTouch: size !== 'desktop',
      colorScheme: theme,
      locale: language,
      timezoneId: zone,
      baseURL: this.app.baseUrl,
      reducedMotion: 'reduce',
    });
    this.#contexts.push(context);
    await addLag(context);
    if (user) await this.signIn(context, user);
    const page = await context.newPage();
    this.#listen(page);
    await page.goto(path);
    await page.getByRole('heading', { level: 1 }).waitFor();
    return { page, context };
  }

  async #openContext(isOnDisk: boolean, options: BrowserContextOptions): Promise<BrowserContext> {
    if (!isOnDisk || 'missing' in this.#found) return this.browser.newContext(options);
    const profile = join(this.#folder, `profile-${++this.#profiles}`);
    const launch = launchOptions(this.#found.path);
    return chromium.launchPersistentContext(profile, { ...launch, ...options });
  }

  /** Ends what the test has opened; returns what the browser had to complain about. */
  async endVisits(): Promise<readonly string[]> {
    await Promise.all(this.#contexts.map((context) => context.close()));
    const messages = this.#messages;
    this.#contexts = [];
    this.#messages = [];
    return messages;
  }

  async signIn(context: BrowserContext, { id: userId }: Pick<TestUser, 'id'>): Promise<void> {
    const { database, admin, baseUrl } = this.app;
    const opened = await database.transaction((trx) =>
      openSession(trx, {
        userId,
        method: 'password',
        visitor: { userAgent: 'test', address: null },
        nowMs: admin.clock.now(),
      }),
    );
    const cookie = { name: 'tintype_session', value: opened.secret, url: baseUrl };
    await context.addCookies([{ ...cookie, httpOnly: true, sameSite: 'Lax' }]);
  }

  /** Errors, and what the content security policy refused. */
  #listen(page: Page): void {
    page.on('pageerror', (error) => this.#messages.push(`error: ${error.message}`));
    page.on('console', (message) => {
      if (message.type() === 'error') this.#messages.push(message.text());
    });
    page.on('request', (request) => {
      const url = request.url();
      if (!url.startsWith(this.app.baseUrl) && !/^(blob|data):/.test(url)) {
        this.#messages.push(`request to elsewhere: ${url}`);
      }
    });
  }
}
