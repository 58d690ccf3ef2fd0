/** More than fits: keys on several pages, models by the hundred, amounts as long as they may be. */
import type { Locator } from '@playwright/test';
import { beforeAll, describe, it, onTestFinished } from 'vitest';
import { addModel } from '../../server/flows/models/add-model.ts';
import { setEnabledOfModel } from '../../server/flows/models/enable-model.ts';
import { selectUpstreamModel } from '../../server/flows/models/select-upstream-model.ts';
import { setPrice } from '../../server/flows/models/set-price.ts';
import { adjustWallet } from '../../server/flows/money/adjust-wallet.ts';
import type { TestUser } from '../support/app.ts';
import { amount } from '../support/console/test-admin.ts';
import { type ConsoleBench, describeConsole } from './support/console.ts';
import { expect } from './support/expect.ts';
import { connect, startHttpUpstream } from './support/http-upstream.ts';
import { rowsOf } from './support/ledger-page.ts';
import { visitPlayground } from './support/playground-page.ts';
import { settle } from './support/settle.ts';

const manyModels = 260;
const servedModels = 20;
/** With those that every installation begins with. */
const modelsInAll = servedModels + 3;

describeConsole((console) => {
  describe('keys on two pages', () => {
    let user: TestUser;
    beforeAll(async () => {
      user = await console.addUser();
      for (let number = 0; number < 59; number++) {
        await console.app.addKey(user.id, { name: `key ${number}` });
      }
    });

    it('stay on their page while one of them is open, and after it', async () => {
      const { page } = await console.visit('/keys', { user });
      await expect(rowsOf(page)).toHaveCount(50);
      await page.getByRole('link', { name: 'Older' }).click();
      await expect(rowsOf(page)).toHaveCount(10);
      await page.getByRole('link', { name: 'key 3', exact: true }).click();
      const panel = page.getByRole('dialog', { name: 'key 3' });
      await expect(panel).toBeVisible();
      await expect(rowsOf(page)).toHaveCount(10);
      await panel.getByRole('button', { name: 'Close' }).click();
      await expect(rowsOf(page)).toHaveCount(10);
      await expect(page.getByRole('link', { name: 'key 3', exact: true })).toBeFocused();
      // There is no way to the page before but to the first one, and it says so.
      await expect(page.getByRole('link', { name: 'Newer' })).toHaveCount(0);
      await page.getByRole('link', { name: 'First page' }).click();
      await expect(rowsOf(page)).toHaveCount(50);
    });

    it('can all be chosen where requests are filtered by their key', async () => {
      const body = { model: 'gen-image-2', prompt: 'a fox' };
      expect((await console.app.post('/v1/images/generations', user, body)).status).toBe(200);
      const { page } = await console.visit('/usage', { user });
      await page.getByRole('combobox', { name: 'API key' }).click();
      await page.getByRole('option', { name: 'key 3', exact: true }).click();
      await expect(page).toHaveURL(/key=key_/);
      await expect(page.getByRole('combobox', { name: 'API key' })).toHaveText('key 3');
    });
  });

  it.each([1440, 1280, 1024, 900, 700])(
    'no amount of a statement is cut off at %i px',
    async (width) => {
      const user = await console.addUser({ money: '8999999999.999999' });
      const { admin } = console.app;
      const adjust = (text: string) =>
        adjustWallet({ ...admin, reason: 'a test' }, { user: user.id, amount: amount(text) });
      await adjust('-8999999999.999998');
      await adjust('8888888888.888888');
      const { page } = await console.visit('/wallet', { user });
      await page.setViewportSize({ width, height: 800 });
      await settle(page);
      const statement = page.getByRole('region', { name: 'Statement' }).locator('dl');
      await expect(statement).toContainText('$8,888,888,888.888889');
      expect(await isCut(statement)).toBe(false);
    },
  );

  it('a long list of an upstream is told of in short, and has every name in full on a phone', async () => {
    const named = (number: number) => `a-model-of-some-vendor-whose-name-is-long-${number}`;
    const upstream = await startHttpUpstream(named(0));
    onTestFinished(() => upstream.stop());
    const id = await connect(console.app, upstream, { name: 'aggregator' });
    upstream.lists(...Array.from({ length: 121 }, (_, number) => named(number)));
    const user = await console.addUser({ role: 'admin' });
    const { page } = await console.visit(`/admin/upstreams/${id}?tab=models`, {
      user,
      size: 'phone',
    });
    await page.getByRole('button', { name: 'Refresh the list' }).click();
    const note = page.getByRole('status').filter({ hasText: '120 new' });
    await expect(note.getByRole('listitem')).toHaveCount(51);
    await expect(note.getByRole('listitem').last()).toHaveText('and 70 more');
    await expect(rowsOf(page)).toHaveCount(100);
    const cells = rowsOf(page).locator('td:first-child');
    expect(await Promise.all((await cells.all()).map(isCut))).not.toContain(true);
  });

  describe('with many models', () => {
    beforeAll(() => addServedModels(console, servedModels));

    it('the statement is in sight below what the balance is enough for', async () => {
      const { page } = await console.visit('/wallet', { user: await console.addUser() });
      const head = page.getByRole('region', { name: 'Available' });
      const models = head.getByRole('listitem');
      await expect(models).toHaveCount(6);
      await head.getByText(`${modelsInAll - 6} more models`).click();
      await expect(models).toHaveCount(modelsInAll);
    });

    it('a letter of a prompt does not write all their prices again, once they were listed', async () => {
      const { page, playground } = await visitPlayground(console);
      await playground.chooseModel('gen-image-2');
      await page.evaluate(countWrittenPrices);
      await playground.prompt.press('a');
      await expect(playground.prompt).toHaveValue('a');
      await expect(playground.generateButton).toBeEnabled();
      expect(await page.evaluate(() => window.writtenPrices)).toBeLessThan(modelsInAll);
    });

    it('all of them get a price at once', async () => {
      await addUnpricedModels(console, manyModels);
      const admin = await console.addUser({ role: 'admin' });
      const { page } = await console.visit('/admin/models?state=needs_price', { user: admin });
      await expect(rowsOf(page)).toHaveCount(manyModels);
      await page.getByRole('checkbox', { name: 'Select all rows' }).check();
      await page.getByRole('button', { name: 'Set the price' }).click();
      await page.getByLabel('New price').fill('0.07');
      await page.getByRole('button', { name: 'Review the change' }).click();
      const confirm = page
        .getByRole('dialog')
        .getByRole('button', { name: /^Set the price of 260/ });
      await confirm.click();
      await expect(page.getByText(`${manyModels} models changed`)).toBeVisible();
      await expect(page.getByText('No model is in this state')).toBeVisible();
    });
  });
});

declare global {
  interface Window {
    writtenPrices?: number;
  }
}

function countWrittenPrices(): void {
  window.writtenPrices = 0;
  Intl.NumberFormat.prototype.formatToParts = new Proxy(
    // oxlint-disable-next-line typescript/unbound-method -- called with the format that it is asked of
    Intl.NumberFormat.prototype.formatToParts,
    {
      apply: (write, format: Intl.NumberFormat, [amount]: [number]) => {
        window.writtenPrices = (window.writtenPrices ?? 0) + 1;
        return write.call(format, amount);
      },
    },
  );
}

/** What hangs out of it is not seen. */
function isCut(place: Locator): Promise<boolean> {
  return place.evaluate(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth);
}

async function addServedModels({ app: { admin } }: ConsoleBench, count: number): Promise<void> {
  for (let number = 0; number < count; number++) {
    const modelId = `served-${number}`;
    await addModel(admin, { id: modelId, description: '', extendedQualities: false });
    const served = { modelId, upstream: 'sandbox', upstreamModel: 'sandbox-quick' };
    await selectUpstreamModel(admin, served);
    await setPrice(admin, { modelId, price: amount('0.05') });
    await setEnabledOfModel(admin, { modelId, enabled: true });
  }
}

/** With names as long as they may be. */
async function addUnpricedModels({ app: { admin } }: ConsoleBench, count: number): Promise<void> {
  for (let number = 0; number < count; number++) {
    const id = `${'unpriced-'.repeat(10)}${number}`;
    await addModel(admin, { id, description: '', extendedQualities: false });
  }
}
