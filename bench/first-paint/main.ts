/**
 * How soon the console shows its pages: the largest paint on a machine four times slower than this
 * one, over 10 Mbit/s, with nothing in the cache.
 *
 *     node bench/first-paint/main.ts
 */

import type { Page } from '@playwright/test';
import { openConsole } from '../console-in-browser.ts';

const rounds = 5;
const slowdown = 4;
const bytesPerSecond = 10_000_000 / 8;
const paintMsMax = 1_500;
const paths = ['/login', '/playground'] as const;

const { browser, baseUrl, sessionCookie, close } = await openConsole();
try {
  for (const path of paths) {
    const paints: number[] = [];
    for (let round = 0; round < rounds; round++) paints.push(await measurePaint(path));
    paints.sort((a, b) => a - b);
    const median = paints[Math.floor(rounds / 2)] ?? 0;
    const verdict = median <= paintMsMax ? 'within' : 'MORE THAN';
    const all = paints.map((ms) => ms.toFixed(0)).join(', ');
    process.stdout.write(
      `${path}: ${median.toFixed(0)} ms, ${verdict} ${paintMsMax} (of ${all})\n`,
    );
  }
} finally {
  await close();
}

async function measurePaint(path: (typeof paths)[number]): Promise<number> {
  const context = await browser.newContext({ baseURL: baseUrl });
  try {
    if (path !== '/login') await context.addCookies([sessionCookie]);
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
