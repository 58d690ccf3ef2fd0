/** Names, addresses and amounts as long as they may be: nothing hangs out of its place, or makes a page too wide. */
import type { Page } from '@playwright/test';
import { beforeAll, it } from 'vitest';
import { changeSetting } from '../../server/flows/installation/change-setting.ts';
import { addModel } from '../../server/flows/models/add-model.ts';
import { setEnabledOfModel } from '../../server/flows/models/enable-model.ts';
import { selectUpstreamModel } from '../../server/flows/models/select-upstream-model.ts';
import { setPrice } from '../../server/flows/models/set-price.ts';
import { addUpstream } from '../../server/flows/upstreams/add-upstream.ts';
import { syncUpstreamModels } from '../../server/flows/upstreams/sync-upstream-models.ts';
import type { TestApp, TestUser } from '../support/app.ts';
import { amount, testAccess } from '../support/console/test-admin.ts';
import { describeConsole } from './support/console.ts';
import { expect } from './support/expect.ts';
import { placeholderFaults, sidewaysFaults, targetFaults } from './support/page-geometry.ts';
import { settle } from './support/settle.ts';

const word = 'W'.repeat(100);
const modelId = 'm'.repeat(100);
const upstream = 'u'.repeat(63);

describeConsole((console) => {
  let admin: TestUser;
  beforeAll(async () => {
    await addLongNames(console.app);
    admin = await console.addUser({ role: 'admin', money: '8999999999.999999', called: word });
    await console.app.addKey(admin.id, { name: word });
    const body = { model: modelId, prompt: 'a fox' };
    expect((await console.app.post('/v1/images/generations', admin, body)).status).toBe(200);
  });

  const pages = [
    '/usage',
    `/usage?model=${word}&trace=${word.slice(60)}`,
    '/wallet',
    '/keys',
    '/playground',
    '/admin',
    `/admin/models/${modelId}`,
    '/admin/upstreams',
    `/admin/upstreams/${upstream}?tab=models`,
    `/admin/upstreams/${upstream}?tab=test`,
    `/admin/users?q=${word}`,
    `/admin/users/${word}@example.com?tab=wallet`,
    `/admin/log?user=${word}&trace=${word.slice(60)}`,
    `/admin/audit?actor=${word}&target=${word}`,
  ];
  it.each(['desktop', 'phone'] as const)('on the pages, on a %s', async (size) => {
    const { page } = await console.visit('/quickstart', { user: admin, size });
    const faults: string[] = [];
    for (const path of pages) {
      await page.goto(path);
      await settle(page);
      const found = [
        ...(await sidewaysFaults(page)),
        ...(await targetFaults(page)),
        ...(await placeholderFaults(page)),
      ];
      const hanging = await hangingFaults(page, 'main');
      faults.push(...[...found, ...hanging].map((fault) => `${path.slice(0, 40)}: ${fault}`));
    }
    expect(faults).toEqual([]);
  });

  it.each([
    {
      what: 'revokes a key',
      path: '/keys',
      open: async (page: Page) => {
        await page.getByRole('button', { name: `Actions for ${word}` }).click();
        await page.getByRole('menuitem', { name: 'Revoke' }).click();
      },
      shown: 'Type the name of the key',
    },
    {
      what: 'makes a key for some models',
      path: '/keys/new',
      open: (page: Page) => page.getByText('Only these').click(),
      shown: modelId,
    },
    {
      what: 'disables an upstream',
      path: `/admin/upstreams/${upstream}`,
      open: (page: Page) => page.getByRole('button', { name: 'Disable' }).click(),
      shown: 'Nothing else would serve',
    },
    {
      what: 'erases a user',
      path: `/admin/users/${word}@example.com`,
      open: (page: Page) => page.getByRole('button', { name: 'Erase personal data' }).click(),
      shown: 'Erase what is known of',
    },
  ])('in what $what, on a phone', async ({ path, open, shown }) => {
    const { page } = await console.visit(path, { user: admin, size: 'phone' });
    await settle(page);
    await open(page);
    await page.getByText(shown).first().waitFor();
    const place = path === '/keys/new' ? 'main' : '[role="dialog"]';
    expect([...(await sidewaysFaults(page)), ...(await hangingFaults(page, place))]).toEqual([]);
  });
});

async function addLongNames({ admin }: TestApp): Promise<void> {
  const access = testAccess();
  await addUpstream(admin, access, {
    name: upstream,
    kind: 'sandbox',
    baseUrl: null,
    credential: null,
    settings: {},
    priority: 0,
    weight: 1,
  });
  await syncUpstreamModels(admin, access, upstream);
  await addModel(admin, { id: modelId, description: word, extendedQualities: true });
  await selectUpstreamModel(admin, { modelId, upstream, upstreamModel: 'sandbox-quick' });
  await setPrice(admin, { modelId, price: amount('12345.678912') });
  await setEnabledOfModel(admin, { modelId, enabled: true });
  await changeSetting(admin, { key: 'topUpText', value: word });
  await changeSetting(admin, { key: 'contact', value: `https://example.com/${word}` });
}

/** Words beyond the edge of their place, or cut off there: by nothing that says so, and that nobody can scroll. */
function hangingFaults(page: Page, place: string): Promise<readonly string[]> {
  return page.evaluate((selector) => {
    const slackPx = 1;
    const edgeOf = (start: Element): Element | null => {
      for (let each: Element | null = start; each; each = each.parentElement) {
        const { display, overflowX, textOverflow } = getComputedStyle(each);
        if (overflowX !== 'visible') {
          const isSaid = textOverflow === 'ellipsis' || ['auto', 'scroll'].includes(overflowX);
          return isSaid ? null : each;
        }
        if (display !== 'inline' && each.clientWidth > 1 && !each.matches('span')) return each;
      }
      return null;
    };
    return [...document.querySelectorAll<HTMLElement>(`${selector} *`)]
      .filter((element) => element.checkVisibility({ visibilityProperty: true }))
      .filter((element) => !element.closest('.sr-only, .max-sm\\:sr-only, svg, textarea, input'))
      .flatMap((element) =>
        [...element.childNodes].flatMap((node) => {
          if (node.nodeType !== Node.TEXT_NODE || node.textContent?.trim() === '') return [];
          const range = document.createRange();
          range.selectNodeContents(node);
          const edge = edgeOf(element)?.getBoundingClientRect();
          const { right } = range.getBoundingClientRect();
          const isScrolled = element.closest('.overflow-x-auto') !== null;
          const end = isScrolled ? Number.POSITIVE_INFINITY : window.innerWidth;
          return edge && right > Math.min(edge.right, end) + slackPx
            ? [`hangs out: ${element.outerHTML.slice(0, 140)}`]
            : [];
        }),
      );
  }, place);
}
