import { beforeEach, expect, it } from 'vitest';
import { forEachEngine } from '../../../test/support/databases/databases.ts';
import { type CommandLine, commandLine } from '../../../test/support/processes/command-line.ts';
import { startMailServer } from '../../../test/support/services/mail-server.ts';
import { NoticeBench, noticeSecret } from '../../../test/support/services/notice-bench.ts';
import { startNoticeReceiver } from '../../../test/support/services/notice-receiver.ts';
import { readMail } from '../../../test/support/services/read-mail.ts';
import { readEmails } from '../../accounts/user-store.ts';
import { editPreferences } from '../../flows/users/edit-preferences.ts';
import { must } from '../../lib/assert.ts';

forEachEngine((engine) => {
  let bench: NoticeBench;
  let cli: CommandLine;

  beforeEach(async () => {
    const database = await engine.open();
    bench = new NoticeBench(database);
    cli = withOptions({ TINTYPE_NOTICE_SECRET: noticeSecret });
  });

  it('lists what is pending, sent and given up', async () => {
    const receiver = await startNoticeReceiver();
    await bench.set('noticeWebhookUrl', receiver.url);
    const { userId } = await bench.fall();
    await bench.sender().sendDue('webhook');
    receiver.answerWith(410);
    bench.admin.clock.advance(1);
    await bench.fall();
    await bench.sender().sendDue('webhook');
    const { notices } = await cli.json('notices', 'list');
    const [gone, sent] = [{ state: 'given_up', failure: 'answered 410' }, { state: 'sent' }];
    expect(notices).toHaveLength(4);
    expect(notices).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ medium: 'webhook', ...gone, next_try_at: null }),
        expect.objectContaining({ medium: 'webhook', ...sent, user_id: userId, balance: '4.90' }),
        expect.objectContaining({ medium: 'email', state: 'pending', tries: 0, sent_at: null }),
      ]),
    );
    const table = await cli.out('notices', 'list');
    expect(table).toMatch(/4\.90 +5\.00 +webhook +given up +1 +- +answered 410 +ntc_/);
    expect(table).toMatch(/4\.90 +5\.00 +email +pending +0 +2026-01-01 00:00:00 +-/);
  });

  it('says how notices begin while there are none', async () => {
    const { err } = await cli.run('notices', 'list');
    expect(err).toBe(
      'No notices. There is one when a balance falls below the threshold: tintype settings set low_balance 5\n',
    );
  });

  it('tries the webhook and an address, and writes nothing down', async () => {
    const receiver = await startNoticeReceiver();
    const server = await startMailServer({ encryption: 'none' });
    await bench.set('noticeWebhookUrl', receiver.url);
    const withMail = withOptions({
      TINTYPE_NOTICE_SECRET: noticeSecret,
      TINTYPE_SMTP_URL: `smtp://127.0.0.1:${server.port}`,
      TINTYPE_MAIL_FROM: 'billing@example.com',
    });
    const said = await withMail.out('notices', 'test', '--email', 'ops@example.com');
    expect(said).toMatch(/^webhook: taken \(ntc_\w+\)\nemail: taken \(ntc_\w+\)\n$/);
    expect(receiver.received).toHaveLength(1);
    const { id, body } = must(receiver.received[0], 'a webhook');
    expect(JSON.parse(body)).toEqual({ id, kind: 'test', created_at: expect.any(String) });
    expect(server.mails).toMatchObject([{ to: ['ops@example.com'] }]);
    expect(server.mails[0]?.source).toContain('Subject: Tintype: a test of low-balance notices');
    expect(await bench.notices('webhook')).toEqual([]);
  });

  it('tries an address in the language of whoever has it', async () => {
    const server = await startMailServer({ encryption: 'none' });
    const withMail = withOptions({
      TINTYPE_SMTP_URL: `smtp://127.0.0.1:${server.port}`,
      TINTYPE_MAIL_FROM: 'billing@example.com',
    });
    const { userId } = await bench.fall();
    const email = must((await readEmails(bench.database, [userId])).get(userId), 'an address');
    await editPreferences(bench.admin, userId, { language: 'zh-CN' });
    await withMail.out('notices', 'test', '--email', email);
    await withMail.out('notices', 'test', '--email', 'ops@example.com');
    const subjects = server.mails.map(({ source }) => readMail(source).headers.get('subject'));
    expect(subjects).toEqual([
      'Tintype：余额不足通知的测试',
      'Tintype: a test of low-balance notices',
    ]);
  });

  it('fails when a test notice is not taken, and says why', async () => {
    const receiver = await startNoticeReceiver();
    receiver.answerWith(503);
    await bench.set('noticeWebhookUrl', receiver.url);
    const result = await cli.run('notices', 'test', '--email', 'ops@example.com');
    expect(result.out).toMatch(
      /^webhook: not taken: answered 503 .*\nemail: not taken: TINTYPE_SMTP_URL is not set /,
    );
    expect(result).toMatchObject({
      exitCode: 1,
      err: 'error: not every test notice was taken\n',
    });
  });

  it('has nobody to test with before a webhook is set', async () => {
    const result = await cli.run('notices', 'test');
    expect(result).toMatchObject({
      exitCode: 2,
      err: expect.stringContaining('there is nobody to tell'),
    });
  });

  it('warns who sets a webhook or a threshold that something is missing for', async () => {
    const bare = withOptions({});
    const url = await bare.run('settings', 'set', 'notice_webhook_url', 'https://example.com/hook');
    expect(url).toMatchObject({
      exitCode: 0,
      err: expect.stringContaining('TINTYPE_NOTICE_SECRET'),
    });
    await bare.run('settings', 'set', 'notice_webhook_url', '');
    const threshold = await bare.run('settings', 'set', 'low_balance', '5');
    expect(threshold).toMatchObject({
      exitCode: 0,
      out: 'low_balance is 5.00\n',
      err: expect.stringContaining('nobody is told'),
    });
    await cli.out('settings', 'set', 'notice_webhook_url', 'https://example.com/hook');
    expect((await cli.run('settings', 'set', 'low_balance', '6')).err).toBe('');
  });

  function withOptions(options: Record<string, string>): CommandLine {
    return commandLine(engine.locationOf(bench.database), options);
  }
});
