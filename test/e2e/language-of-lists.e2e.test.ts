/** What the service wrote, and what stands in a row of names, is in the language of the page. */
import { it } from 'vitest';
import { issueKey } from '../../server/flows/keys/issue-key.ts';
import { createCodes } from '../../server/flows/payments/create-codes.ts';
import { redeemCode } from '../../server/flows/payments/redeem-code.ts';
import { takePaymentReport } from '../../server/flows/payments/take-payment-report.ts';
import { eraseUserData } from '../../server/flows/users/erase-user.ts';
import { must } from '../../server/lib/assert.ts';
import { amount } from '../support/console/test-admin.ts';
import { describeConsole } from './support/console.ts';
import { expect } from './support/expect.ts';
import { rowsOf } from './support/ledger-page.ts';

const language = 'zh-CN';

describeConsole((console) => {
  it('shows notes of the service in Chinese, and those of people as they wrote them', async () => {
    const user = await console.addUser({ money: '1' });
    const { admin } = console.app;
    const order = { amount: amount('20'), count: 1, expiresAt: null, prefix: 'tin' };
    const made = [null, 'spring fair'].map((note) => createCodes(admin, { ...order, note }));
    const codes = (await Promise.all(made)).map(({ secrets }) => must(secrets[0], 'a code'));
    for (const code of codes) {
      await redeemCode(admin, { userId: user.id, text: code });
    }
    const report = { provider: 'bank', payment_id: '17', amount: amount('5'), currency: 'USD' };
    for (const type of ['payment.paid', 'payment.returned'] as const) {
      await takePaymentReport(admin, { ...report, type, user: user.id });
    }
    const [plain = '', fair = ''] = codes.map((code) => code.slice(-4));
    const boss = await console.addUser({ role: 'admin' });
    const { page: theirs } = await console.visit(`/admin/users/${user.id}?tab=wallet`, {
      user: boss,
      language,
    });
    const { page: own } = await console.visit('/wallet', { user, language });
    for (const page of [theirs, own]) {
      await expect(page.getByRole('row', { name: `尾号 ${plain}` })).toBeVisible();
      await expect(page.getByRole('row', { name: /bank 退款，付款 pay_\w+/ })).toBeVisible();
      await expect(rowsOf(page).filter({ hasText: /Code ending|payment/ })).toHaveCount(0);
    }
    await expect(theirs.getByText(`兑换码，尾号 ${fair}：spring fair`)).toBeVisible();
    await expect(theirs.getByText(/^bank 付款 pay_\w+$/)).toBeVisible();
    await own.getByRole('row', { name: '支付' }).getByRole('link').first().click();
    await expect(own.getByRole('dialog', { name: '交易' })).toContainText('bank 付款 pay_');
  });

  it('says in Chinese that what was left of an erased account was given up', async () => {
    const user = await console.addUser({ money: '3' });
    const order = { user: user.id, email: user.email, forfeit: true };
    await eraseUserData(console.app.admin, order);
    const boss = await console.addUser({ role: 'admin' });
    const tab = `/admin/users/${user.id}?tab=wallet`;
    const { page } = await console.visit(tab, { user: boss, language });
    await expect(page.getByRole('row', { name: '调整' })).toContainText('清除个人数据时放弃的余额');
  });

  it('names several models of a key between Chinese commas', async () => {
    const user = await console.addUser();
    const models = ['gen-image-2', 'gen-image-2.5-flare'];
    const key = { user: user.id, name: 'laptop', prefix: 'tin', models, expiresAt: null };
    await issueKey(console.app.admin, key);
    const boss = await console.addUser({ role: 'admin' });
    const tab = `/admin/users/${user.id}?tab=keys`;
    for (const visit of [['/keys', user] as const, [tab, boss] as const]) {
      const { page } = await console.visit(visit[0], { user: visit[1], language });
      await expect(page.getByRole('row', { name: 'laptop' })).toContainText(
        'gen-image-2、gen-image-2.5-flare',
      );
    }
  });
});
