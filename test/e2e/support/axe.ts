import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
/** All that another theme can change; the tree and its names stay the same. */
const rulesOfColour = ['color-contrast', 'link-in-text-block'];

/** What axe finds wrong with a page, one line for each element; none is what a test expects. */
export function violationsOf(page: Page): Promise<readonly string[]> {
  return analyze(builderFor(page).withTags(tags));
}

/** Once more in another theme, after all rules were asked in one. */
export function colourViolationsOf(page: Page): Promise<readonly string[]> {
  return analyze(builderFor(page).withRules(rulesOfColour));
}

function builderFor(page: Page): AxeBuilder {
  // There are no frames, so it need not open a page of its own to join their findings.
  return new AxeBuilder({ page }).setLegacyMode();
}

async function analyze(builder: AxeBuilder): Promise<readonly string[]> {
  const { violations } = await builder.analyze();
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary = '' }) => {
      const reason = failureSummary.split('\n')[1]?.trim() ?? '';
      return `${id} at ${target.join(' ')}: ${reason}`;
    }),
  );
}
