/** Senders of notices at a time that stands still, and users whose balance falls. */
import { onTestFinished } from 'vitest';
import type { AuditEntry } from '../../../server/audit/audit-entry.ts';
import { listAuditEntries } from '../../../server/audit/audit-store.ts';
import type { Database } from '../../../server/db/db.ts';
import type { NoticeMedium } from '../../../server/db/schema.ts';
import { changeSetting } from '../../../server/flows/installation/change-setting.ts';
import { adjustWallet } from '../../../server/flows/money/adjust-wallet.ts';
import {
  type NoticeOptions,
  openNoticeMeans,
} from '../../../server/flows/notices/open-notice-means.ts';
import { NoticeSender } from '../../../server/flows/notices/send-notices.ts';
import { must } from '../../../server/lib/assert.ts';
import { createLogger } from '../../../server/lib/logger.ts';
import type { Notice } from '../../../server/notices/notice.ts';
import { listNotices } from '../../../server/notices/notice-store.ts';
import type { SettingKey } from '../../../server/settings/settings.ts';
import { SettingsCache } from '../../../server/settings/settings-cache.ts';
import { amount, type TestAdmin, testAdmin } from '../console/test-admin.ts';
import { addSpender, type Spender } from '../money/spending.ts';

export const noticeSecret = 'the-secret-of-notices';

export class NoticeBench {
  readonly database: Database;
  readonly admin: TestAdmin;
  /** Every line that the senders logged. */
  readonly log: string[] = [];

  constructor(database: Database) {
    this.database = database;
    this.admin = testAdmin(database, 'correction');
  }

  /** A process that sends; as configured, but for `changes`. It is stopped after the test. */
  sender(changes: Partial<NoticeOptions> = {}, db = this.database): NoticeSender {
    const options = {
      noticeSecret,
      smtpUrl: null,
      mailFrom: null,
      publicUrl: null,
      ...changes,
    };
    const settings = new SettingsCache(db);
    const sender = new NoticeSender({
      db,
      log: createLogger('debug', { write: (line) => this.log.push(line) }),
      settings,
      means: openNoticeMeans(options, this.admin.clock),
    });
    onTestFinished(async () => {
      await sender.stop();
      settings.close();
    });
    return sender;
  }

  async set(key: SettingKey, value: string): Promise<void> {
    await changeSetting(this.admin, { key, value });
  }

  /** Takes a new user's balance from 6.00 to 4.90, which is below 5.00. */
  async fall(): Promise<Spender> {
    await this.set('lowBalance', '5');
    const spender = await addSpender(this.database, '6.00');
    await adjustWallet(this.admin, { user: spender.userId, amount: amount('-1.10') });
    return spender;
  }

  /** Newest first. */
  async notices(medium: NoticeMedium): Promise<readonly Notice[]> {
    const { items } = await listNotices(this.database, { after: null, limit: 100 });
    return items.filter((notice) => notice.medium === medium);
  }

  async only(medium: NoticeMedium): Promise<Notice> {
    const [notice, ...others] = await this.notices(medium);
    if (others.length > 0) throw new Error(`there are ${others.length} others`);
    return must(notice, 'a notice');
  }

  async givenUp(): Promise<readonly AuditEntry[]> {
    const filter = { action: 'notice.give_up' };
    return (await listAuditEntries(this.database, filter, { after: null, limit: 9 })).items;
  }
}
