import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { forEachEngine } from '../../../test/support/databases/databases.ts';
import { startMailServer } from '../../../test/support/services/mail-server.ts';
import { NoticeBench, noticeSecret } from '../../../test/support/services/notice-bench.ts';
import { startNoticeReceiver } from '../../../test/support/services/notice-receiver.ts';
import { readMail } from '../../../test/support/services/read-mail.ts';
import type { Preferences } from '../../accounts/preferences.ts';
import { tableNames } from '../../db/tables.ts';
import { stateOf } from '../../notices/notice.ts';
import { editPreferences } from '../users/edit-preferences.ts';
import { editUser } from '../users/edit-user.ts';
import { setUserEnabled } from '../users/enable-user.ts';

const mailFrom = 'Images <billing@example.com>';

forEachEngine((engine) => {
  let bench: NoticeBench;
  beforeEach(async () => {
    bench = new NoticeBench(await engine.open());
  });

  it('tells the user in plain words, at the address they have now', async () => {
    const server = await startMailServer({ encryption: 'none' });
    const { userId } = await bench.fall();
    await editUser(bench.admin, userId, { email: 'moved@example.com' });
    const sender = bench.sender({ smtpUrl: `smtp://127.0.0.1:${server.port}`, mailFrom });
    await sender.sendDue('email');
    await sender.sendDue('email');
    expect(server.mails).toMatchObject([
      { from: 'billing@example.com', to: ['moved@example.com'] },
    ]);
    const { headers, text } = readMail(server.mails[0]?.source ?? '');
    const { id } = await bench.only('email');
    expect(headers.get('subject')).toBe('Tintype: your balance is low, $4.90');
    expect(headers.get('message-id')).toBe(`<${id}@example.com>`);
    expect(text).toBe(
      [
        'Your balance at Tintype fell below $5.00: it was $4.90 on 1 Jan 2026, 00:00:00 (UTC).',
        '',
        'You can go on until it no longer covers the price of a picture; requests are refused then.',
        'To avoid that, add funds to your wallet.',
        '',
        'You get this message once each time your balance falls below $5.00.',
        `Notice: ${id}`,
        '',
      ].join('\n'),
    );
    expect(stateOf(await bench.only('email'))).toBe('sent');
  });

  it('says whose service it is, where the wallet is, how money gets into it, and whom to ask', async () => {
    const server = await startMailServer({ encryption: 'none' });
    await bench.set('installationName', 'Studio pictures');
    await bench.set('topUpText', 'Ask Ada for a code.');
    await bench.set('contact', 'ada@example.com');
    await bench.fall();
    const smtpUrl = `smtp://127.0.0.1:${server.port}`;
    const publicUrl = 'https://images.example.com/';
    await bench.sender({ smtpUrl, mailFrom, publicUrl }).sendDue('email');
    const { headers, text } = readMail(server.mails[0]?.source ?? '');
    expect(headers.get('subject')).toBe('Studio pictures: your balance is low, $4.90');
    expect(headers.get('reply-to')).toBe('ada@example.com');
    expect(text).toContain('Your balance at Studio pictures fell below');
    expect(text).toContain('add funds to your wallet:\n\nhttps://images.example.com/wallet\n\n');
    expect(text).toContain('\n\nAsk Ada for a code.\n\nContact: ada@example.com\n\nYou get');
  });

  it('speaks the language that the user chose, with amounts and times as it writes them', async () => {
    const server = await startMailServer({ encryption: 'none' });
    await bench.set('currency', 'CNY');
    await bench.set('topUpText', 'Ask Ada for a code.');
    await bench.set('contact', 'ada@example.com');
    const { userId } = await bench.fall();
    await prefer(userId, { language: 'zh-CN', zone: 'Asia/Shanghai' });
    const smtpUrl = `smtp://127.0.0.1:${server.port}`;
    const publicUrl = 'https://images.example.com';
    await bench.sender({ smtpUrl, mailFrom, publicUrl }).sendDue('email');
    const { headers, text } = readMail(server.mails[0]?.source ?? '');
    const { id } = await bench.only('email');
    expect(headers.get('subject')).toBe('Tintype：余额不足，仅剩 ¥4.90');
    expect(headers.get('content-language')).toBe('zh-CN');
    expect(text).toBe(
      [
        '2026年1月1日 08:00:00（Asia/Shanghai），您在 Tintype 的余额低于 ¥5.00，当时为 ¥4.90。',
        '',
        '只要余额还够支付一张图片，您就可以继续使用；不够时，请求会被拒绝。',
        '为避免这种情况，请为钱包充值：',
        '',
        'https://images.example.com/wallet',
        '',
        'Ask Ada for a code.',
        '',
        '联系方式：ada@example.com',
        '',
        '余额每次低于 ¥5.00 时，您都会收到一封这样的邮件。',
        `通知编号：${id}`,
        '',
      ].join('\n'),
    );
  });

  it('speaks the language of the installation to who chose none, in its time zone', async () => {
    const server = await startMailServer({ encryption: 'none' });
    await bench.set('defaultLanguage', 'zh-CN');
    await bench.set('defaultZone', 'Asia/Shanghai');
    await bench.fall();
    await prefer((await bench.fall()).userId, { language: 'en' });
    await sendThrough(server.port);
    const texts = server.mails.map(({ source }) => readMail(source).text.split('\n')[0]);
    expect(new Set(texts)).toEqual(
      new Set([
        '2026年1月1日 08:00:00（Asia/Shanghai），您在 Tintype 的余额低于 $5.00，当时为 $4.90。',
        'Your balance at Tintype fell below $5.00: it was $4.90 on 1 Jan 2026, 08:00:00 (Asia/Shanghai).',
      ]),
    );
  });

  it('tries again what the mail server does not take yet', async () => {
    const refusing = await startMailServer({ encryption: 'none', refuseRecipients: 450 });
    await bench.fall();
    await sendThrough(refusing.port);
    expect(await bench.only('email')).toMatchObject({
      failure: 'EENVELOPE, the mail server answered 450',
      givenUpAt: null,
    });
    const server = await startMailServer({ encryption: 'none' });
    bench.admin.clock.advance(60_000);
    await sendThrough(server.port);
    expect(server.mails).toHaveLength(1);
  });

  it('lets go of a mail server that is silent when the service stops', async () => {
    const server = createServer((socket) => {
      socket.write('220 ready\r\n');
      socket.once('data', () => server.emit('greeted', socket));
    });
    onTestFinished(() => void server.close());
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const greeted = new Promise<Socket>((tell) => server.on('greeted', tell));
    await bench.fall();
    // A listening TCP server's address is never a string.
    const { port } = server.address() as AddressInfo;
    const sender = bench.sender({ smtpUrl: `smtp://127.0.0.1:${port}`, mailFrom });
    const sending = sender.sendDue('email');
    const socket = await greeted;
    const left = once(socket.resume(), 'close');
    await sender.stop();
    await Promise.all([sending, left]);
    expect(stateOf(await bench.only('email'))).toBe('pending');
  });

  it('gives up on an address that the mail server refuses, and on a disabled user', async () => {
    const server = await startMailServer({ encryption: 'none', refuseRecipients: 550 });
    await bench.fall();
    await setUserEnabled(bench.admin, (await bench.fall()).userId, false);
    await sendThrough(server.port);
    expect(new Set((await bench.givenUp()).map(({ reason }) => reason))).toEqual(
      new Set(['EENVELOPE, the mail server answered 550', 'the user is disabled']),
    );
  });

  it('drops e-mails where there is no mail server, and keeps webhooks', async () => {
    await bench.fall();
    await bench.sender().sendDue('email');
    expect(await bench.notices('email')).toEqual([]);
    expect(await bench.notices('webhook')).toHaveLength(1);
  });

  it('never logs or keeps a secret, an address or what the other side said', async () => {
    const server = await startMailServer({
      encryption: 'none',
      account: { user: 'tin', password: 'right' },
    });
    const receiver = await startNoticeReceiver();
    receiver.answerWith(500);
    await bench.set('noticeWebhookUrl', receiver.url);
    await bench.fall();
    const smtpUrl = `smtp://canary-user:canary-password@127.0.0.1:${server.port}`;
    const sender = bench.sender({ smtpUrl, mailFrom });
    await sender.sendDue('email');
    await sender.sendDue('webhook');
    expect((await bench.only('email')).failure).toBe('EAUTH, the mail server answered 535');
    expect((await bench.only('webhook')).failure).toBe('answered 500');
    const log = bench.log.join('');
    expect(log).toContain('notice not sent');
    const kept = await everythingKept();
    for (const canary of [noticeSecret, 'canary-user', 'canary-password', 'hunter2']) {
      expect(log).not.toContain(canary);
      expect(kept).not.toContain(canary);
    }
    expect(log).not.toContain('@example.com');
    expect(log).not.toContain(receiver.url);
  });

  async function prefer(userId: string, wish: Partial<Preferences>): Promise<void> {
    await editPreferences(bench.admin, userId, wish);
  }

  async function sendThrough(port: number): Promise<void> {
    await bench.sender({ smtpUrl: `smtp://127.0.0.1:${port}`, mailFrom }).sendDue('email');
  }

  async function everythingKept(): Promise<string> {
    const tables = await Promise.all(
      tableNames.map((name) => bench.database.kysely.selectFrom(name).selectAll().execute()),
    );
    return JSON.stringify(tables);
  }
});
