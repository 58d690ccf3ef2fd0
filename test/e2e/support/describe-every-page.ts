/**
 * What all pages owe to everybody, at one size of the window. The pages are visited one after another
 * in the same browser, and everything that is wrong with any of them is told at the end.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { BrowserContext, Page } from '@playwright/test';
import { beforeAll, expect, it } from 'vitest';
import { projectRoot } from '../../../web/build/build-console.ts';
import { colourViolationsOf, violationsOf } from './axe.ts';
import { writingFaultsIn } from './chinese-writing.ts';
import { type ConsoleBench, describeConsole, sizes } from './console.ts';
import { type Demo, makeDemo } from './demo.ts';
import { englishIn } from './english-left.ts';
import { everyPage, nowhere, type PageExample, type Visitor } from './every-page.ts';
import { seedRuns } from './gallery-page.ts';
import {
  chartLabelFaults,
  clippedFaults,
  lightPanelFaults,
  motionFaults,
  sidewaysFaults,
  targetFaults,
} from './page-geometry.ts';
import { linesOf, textsOf } from './page-texts.ts';
import { paint } from './paint.ts';
import { settle } from './settle.ts';
import { walkTo } from './walk.ts';

type Size = 'desktop' | 'phone';
type Language = 'en' | 'zh-CN';

/** For people to look at; not kept, and not made where nobody looks. */
const picturesFolder = join(projectRoot, 'test-results', 'screenshots');
/** Ends what hangs; nothing is measured by it. */
const walkMsMax = 1_200_000;

export function describeEveryPage(size: Size): void {
  describeConsole(
    (console) => {
      let demo: Demo;
      beforeAll(async () => {
        demo = await makeDemo(console.app);
        mkdirSync(picturesFolder, { recursive: true });
      });

      // What the browser complains of, and any request to elsewhere, fails the test as well.
      it.each(['en', 'zh-CN'] as const)(
        `B73 B76 B77 B78 B80 B82 nothing is wrong with any page on a ${size} in %s`,
        async (language) => {
          const faults = await walk(console, demo, { size, language }, (page, example) =>
            lookAt(page, example, { size, language }),
          );
          expect(faults).toEqual([]);
        },
        walkMsMax,
      );

      it(
        `P80 words that are a third longer still fit on a ${size}`,
        async () => {
          const faults = await walk(console, demo, { size, isPseudo: true }, async (page, each) => {
            await takePicture(page, `${each.name}-light-${size}-pseudo`);
            return [...(await sidewaysFaults(page)), ...(await clippedFaults(page))];
          });
          expect(faults).toEqual([]);
        },
        walkMsMax,
      );
    },
    // Some of the pages are those for what is not there or not allowed.
    { isBare: true, expectedMessages: /status of 40[134]/ },
  );
}

interface Look {
  size: Size;
  language?: Language;
  /** In the language that nobody speaks. */
  isPseudo?: boolean;
}

async function walk(
  console: ConsoleBench,
  demo: Demo,
  { size, language = 'en', isPseudo = false }: Look,
  faultsOf: (page: Page, example: PageExample) => Promise<readonly string[]>,
): Promise<readonly string[]> {
  const { page, context } = await console.visit('/login', { size, language });
  if (isPseudo) {
    await context.addInitScript(() => localStorage.setItem('tintype.pseudo-locale', 'yes'));
  }
  const faults: string[] = [];
  let visitor: Visitor | null = null;
  for (const example of everyPage(demo)) {
    if (example.who !== visitor) {
      visitor = example.who;
      if (visitor !== 'nobody') await become(console, { page, context }, demo, visitor);
      await page.goto(nowhere);
      await settle(page);
    }
    await walkTo(page, example.href);
    faults.push(...(await faultsOf(page, example)).map((fault) => `${example.name}: ${fault}`));
  }
  return faults;
}

async function become(
  console: ConsoleBench,
  { page, context }: { page: Page; context: BrowserContext },
  demo: Demo,
  who: Exclude<Visitor, 'nobody'>,
): Promise<void> {
  await console.signIn(context, demo[who]);
  if (who !== 'user') return;
  await page.goto('/gallery');
  await settle(page);
  await seedRuns(page, demo.user, 12);
}

/** Another language has the same tree in the same colours, but words of another length. */
async function lookAt(
  page: Page,
  { name }: PageExample,
  { size, language }: { size: Size; language: Language },
): Promise<readonly string[]> {
  await takePicture(page, `${name}-light-${size}-${language}`);
  const faults = [
    ...(await sidewaysFaults(page)),
    ...(await chartLabelFaults(page)),
    ...(await targetFaults(page)),
    ...(language === 'en' ? await themeFaults(page, `${name}-dark-${size}`) : []),
    ...(language === 'zh-CN' ? await chineseFaults(page) : []),
  ];
  if (size === 'phone') faults.push(...(await narrowFaults(page)));
  return faults;
}

async function chineseFaults(page: Page): Promise<readonly string[]> {
  const texts = await textsOf(page);
  return [...englishIn(texts), ...writingFaultsIn([...texts, ...(await linesOf(page))])];
}

async function themeFaults(page: Page, pictureName: string): Promise<readonly string[]> {
  const faults = [...(await violationsOf(page)), ...(await motionFaults(page))];
  await page.emulateMedia({ colorScheme: 'dark' });
  await paint(page, { frames: 2 });
  await takePicture(page, `${pictureName}-en`);
  faults.push(
    ...(await colourViolationsOf(page)).map((fault) => `dark: ${fault}`),
    ...(await lightPanelFaults(page)),
  );
  // Whatever comes next waits for some frames anyway.
  await page.emulateMedia({ colorScheme: 'light' });
  return faults;
}

async function narrowFaults(page: Page): Promise<readonly string[]> {
  await page.setViewportSize(sizes.narrow);
  await paint(page, { frames: 4 });
  const faults = [...(await sidewaysFaults(page)), ...(await chartLabelFaults(page))];
  await page.setViewportSize(sizes.phone);
  return faults.map((fault) => `320 px: ${fault}`);
}

/** As JPEG, which is written sooner than a PNG: there are hundreds of them. */
async function takePicture(page: Page, name: string): Promise<void> {
  if (process.env['CI']) return;
  const path = join(picturesFolder, `${name}.jpeg`);
  await page.screenshot({ path, type: 'jpeg', quality: 85, fullPage: true });
}
