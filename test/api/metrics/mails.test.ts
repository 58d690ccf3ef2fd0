/** Mails that cannot be sent are told by a count, whatever they are about. */
import { expect, test, vi } from 'vitest';
import type { Config } from '../../../server/config.ts';
import { changeSetting } from '../../../server/flows/installation/change-setting.ts';
import { adjustWallet } from '../../../server/flows/money/adjust-wallet.ts';
import { must } from '../../../server/lib/assert.ts';
import { describeApi } from '../../support/callers/api.ts';
import { amount } from '../../support/console/test-admin.ts';
import { addMember, Visitor } from '../../support/console/visitor.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { sumOf } from '../../support/metrics-text.ts';
import { patience } from '../../support/patience.ts';

const clock = new ManualClock();
const config: Partial<Config> = {
  metricsPort: 0,
  publicUrl: 'https://images.example.com',
  mailFrom: 'images@example.com',
  // Nobody listens there.
  smtpUrl: 'smtp://127.0.0.1:1',
};

describeApi(
  (api) => {
    async function failed(): Promise<number> {
      const response = await fetch(`${must(api.app.app.metricsUrl, 'a port')}/metrics`);
      return sumOf(await response.text(), 'tintype_mails_total', { outcome: 'failed' });
    }

    test('a link and a notice are each counted as they fail', async () => {
      const { email } = await addMember(api.app, { money: '6' });
      const before = await failed();
      await new Visitor(api.app.baseUrl).post('/password-reset/mail', { email });
      await vi.waitFor(async () => expect(await failed()).toBe(before + 1), patience);

      await changeSetting(api.app.admin, { key: 'lowBalance', value: '5' });
      const admin = { ...api.app.admin, reason: 'entered twice' };
      await adjustWallet(admin, { user: email, amount: amount('-2') });
      clock.advance(5_000);
      await vi.waitFor(async () => expect(await failed()).toBe(before + 2), patience);
    });
  },
  { config, clock },
);
