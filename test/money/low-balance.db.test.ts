import { expect, it } from 'vitest';
import { startApp } from '../../server/app.ts';
import { loadConfig } from '../../server/config.ts';
import { must } from '../../server/lib/assert.ts';
import { systemClock } from '../../server/lib/clock.ts';
import { createLogger } from '../../server/lib/logger.ts';
import { stateOf } from '../../server/notices/notice.ts';
import { forEachEngine } from '../support/databases/databases.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { addSpender } from '../support/money/spending.ts';
import { askService, equip, startService } from '../support/processes/service-process.ts';
import { NoticeBench, noticeSecret } from '../support/services/notice-bench.ts';
import { startNoticeReceiver } from '../support/services/notice-receiver.ts';

/** More than a claim lasts, should the process have died with the notice in its hands. */
const laterMs = 10 * 60_000;

forEachEngine((engine) => {
  it('a process that is killed after a charge leaves its notice to the next one', async () => {
    const database = await engine.open();
    const location = engine.locationOf(database);
    const bench = new NoticeBench(database);
    const receiver = await startNoticeReceiver();
    receiver.answerWith('silence');
    await equip(database);
    await bench.set('lowBalance', '5');
    await bench.set('noticeWebhookUrl', receiver.url);
    const spender = await addSpender(database, '5.00');

    const service = await startService(location, { TINTYPE_NOTICE_SECRET: noticeSecret });
    const answer = await askService(service, spender);
    service.kill('SIGKILL');
    await service.exit;
    const left = await bench.only('webhook');
    expect(left).toMatchObject({
      traceId: answer.headers.get('x-request-id'),
      userId: spender.userId,
    });
    expect(stateOf(left)).toBe('pending');

    receiver.answerWith(204);
    const before = receiver.received.length;
    const clock = new ManualClock(systemClock.now() + laterMs);
    const app = await startApp({ config: configOf(location), clock, log: createLogger('silent') });
    clock.advance(5_000);
    await receiver.untilReceived(before + 1);
    await app.stop();
    expect(must(receiver.received.at(-1), 'a webhook').id).toBe(left.id);
  });
});

function configOf({ url, dataDir }: { url: string | null; dataDir: string }) {
  const flags = { dataDir, databaseUrl: url ?? undefined, secretKey: '07'.repeat(32), port: '0' };
  return { ...loadConfig({ ...flags, noticeSecret }, {}).config, shutdownDelayMs: 0 };
}
