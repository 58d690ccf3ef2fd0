import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import type { AxeResults, ElementContext, RunOptions } from 'axe-core';

const source = readFileSync(new URL(import.meta.resolve('axe-core/axe.min.js')), 'utf8');
const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
/** All that another theme can change; the tree and its names stay the same. */
const rulesOfColour = ['color-contrast', 'link-in-text-block'];
/** Rows of a long table are made alike: the first twelve stand for all, and take a third of the time. */
const alike = ['tbody > tr:nth-child(n+13)'];

/** What axe finds wrong with a page, one line for each element; none is what a test expects. */
export function violationsOf(page: Page): Promise<readonly string[]> {
  return analyze(page, { runOnly: { type: 'tag', values: tags } });
}

/** Once more in another theme, after all rules were asked in one. */
export function colourViolationsOf(page: Page): Promise<readonly string[]> {
  return analyze(page, { runOnly: { type: 'rule', values: rulesOfColour } });
}

/**
 * In the page itself, where axe stays until it is left: loading it takes as long as its rules. What came
 * or went while it looked, such as a button that a list made usable, is seen by its colour of before: what
 * a page has stays for a second look.
 */
async function analyze(page: Page, options: RunOptions): Promise<readonly string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(source);
  const first = await look(page, options);
  return first.length === 0 ? first : look(page, options);
}

async function look(page: Page, options: RunOptions): Promise<readonly string[]> {
  await page.evaluate(endOfMotion);
  const violations = await page.evaluate(
    async ({ context, how }) => (await globalThis.axe.run(context, how)).violations,
    {
      context: { exclude: alike },
      how: { ...options, resultTypes: ['violations'] } satisfies RunOptions,
    },
  );
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary = '' }) => {
      const reason = failureSummary.split('\n')[1]?.trim() ?? '';
      return `${id} at ${target.join(' ')}: ${reason}`;
    }),
  );
}

/** What is still fading in is not there for axe, and makes it see faults in what is. */
async function endOfMotion(): Promise<void> {
  const ending = document
    .getAnimations()
    .filter(({ effect }) => effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY);
  await Promise.allSettled(ending.map(({ finished }) => finished));
}

declare global {
  var axe: { run(context: ElementContext, options: RunOptions): Promise<AxeResults> };
}
