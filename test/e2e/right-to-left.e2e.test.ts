/** Names that are written from right to left, where there is no room for all of them: their beginning is what stays. */
import type { Page } from '@playwright/test';
import { beforeAll, it } from 'vitest';
import type { TestUser } from '../support/app.ts';
import { describeConsole } from './support/console.ts';
import { expect } from './support/expect.ts';
import { settle } from './support/settle.ts';

const name = 'סטודיו-לציורים-וצילומים-של-החברה-הגדולה-ביותר-בעיר-הלבנה-Berlin';

describeConsole((console) => {
  let admin: TestUser;
  beforeAll(async () => {
    admin = await console.addUser({ role: 'admin', called: name });
    const { secret: apiKey } = await console.app.addKey(admin.id, { name });
    const body = { model: 'gen-image-2.5-flare', prompt: 'a fox' };
    expect((await console.app.post('/v1/images/generations', { apiKey }, body)).status).toBe(200);
  });

  it.each([
    { path: '/keys', size: 'desktop', places: 1 },
    { path: '/keys', size: 'phone', places: 1 },
    { path: '/usage', size: 'desktop', places: 1 },
    { path: '/admin/users', size: 'desktop', places: 1 },
    { path: '/admin/users', size: 'phone', places: 1 },
    { path: '/admin/log', size: 'desktop', places: 1 },
  ] as const)('on $path, on a $size', async ({ path, size, places }) => {
    const { page } = await console.visit(path, { user: admin, size });
    await settle(page);
    const found = await cutNames(page);
    expect(found.length).toBeGreaterThanOrEqual(places);
    expect(found.filter(({ begins }) => !begins)).toEqual([]);
  });

  it('lays a prompt out as it is written', async () => {
    const { page } = await console.visit('/playground', { user: admin });
    const prompt = page.getByLabel('Prompt', { exact: true });
    await prompt.fill('שועל בשלג');
    await expect(prompt).toHaveCSS('direction', 'rtl');
    await prompt.fill('a fox in the snow');
    await expect(prompt).toHaveCSS('direction', 'ltr');
  });
});

/** The places in which the name is cut off, and whether its beginning is in sight there. */
function cutNames(page: Page) {
  return page.evaluate(
    (beginning) => {
      const found: { where: string; begins: boolean }[] = [];
      const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      for (let text = texts.nextNode(); text; text = texts.nextNode()) {
        let box = text.parentElement;
        while (box && getComputedStyle(box).textOverflow !== 'ellipsis') box = box.parentElement;
        if (!box || !text.textContent?.startsWith(beginning) || !box.checkVisibility()) continue;
        if (box.scrollWidth <= box.clientWidth) continue;
        const first = document.createRange();
        first.setStart(text, 0);
        first.setEnd(text, 1);
        const { left, right } = first.getBoundingClientRect();
        const edge = box.getBoundingClientRect();
        found.push({
          where: box.outerHTML.slice(0, 200),
          begins: left >= edge.left - 1 && right <= edge.right + 1,
        });
      }
      return found;
    },
    name.slice(0, 6),
  );
}
