import { beforeEach, describe, expect, it } from 'vitest';
import { forEachEngine } from '../../../test/support/databases/databases.ts';
import { NoticeBench, noticeSecret } from '../../../test/support/services/notice-bench.ts';
import {
  type NoticeReceiver,
  startNoticeReceiver,
} from '../../../test/support/services/notice-receiver.ts';
import { loadReceiverExample } from '../../../test/support/services/receiver-example.ts';
import { must } from '../../lib/assert.ts';
import { stateOf } from '../../notices/notice.ts';
import { claimDue } from '../../notices/notice-store.ts';

const second = 1_000;
const minute = 60_000;
const hour = 60 * minute;

forEachEngine((engine) => {
  let bench: NoticeBench;
  let receiver: NoticeReceiver;

  beforeEach(async () => {
    bench = new NoticeBench(await engine.open());
    receiver = await startNoticeReceiver();
    await bench.set('noticeWebhookUrl', receiver.url);
  });

  describe('a webhook', () => {
    it('says what happened, signed, and once', async () => {
      const { userId } = await bench.fall();
      const sender = bench.sender();
      await sender.sendDue('webhook');
      await sender.sendDue('webhook');
      expect(receiver.received).toHaveLength(1);
      const { id, body, signature } = must(receiver.received[0], 'a webhook');
      expect(JSON.parse(body)).toEqual({
        id,
        kind: 'low_balance',
        created_at: '2026-01-01T00:00:00.000Z',
        user_id: userId,
        balance: '4.90',
        threshold: '5.00',
        currency: 'USD',
        trace_id: null,
      });
      const { isFromTintype } = await loadReceiverExample();
      const nowSeconds = bench.admin.clock.now() / 1000;
      expect(isFromTintype({ body, signature, secret: noticeSecret, nowSeconds })).toBe(true);
      const notice = await bench.only('webhook');
      expect(notice).toMatchObject({ id, tries: 1, failure: null });
      expect(stateOf(notice)).toBe('sent');
    });

    it.each([500, 503, 404, 401, 302])(
      'answered %i is sent again, with the same ID',
      async (status) => {
        await bench.fall();
        const sender = bench.sender();
        receiver.answerWith(status);
        await sender.sendDue('webhook');
        await sender.sendDue('webhook');
        expect(receiver.received, 'before its time').toHaveLength(1);
        const notice = await bench.only('webhook');
        expect(notice).toMatchObject({ failure: `answered ${status}`, tries: 1, sentAt: null });
        expectPause(notice.nextTryAt, 30 * second);
        receiver.answerWith(200);
        bench.admin.clock.advance(40 * second);
        await sender.sendDue('webhook');
        const [first, again] = receiver.received;
        expect(again).toMatchObject({ id: first?.id, body: first?.body });
        expect(again?.signature).not.toBe(first?.signature);
        expect(stateOf(await bench.only('webhook'))).toBe('sent');
      },
    );

    it('that nobody answers in ten seconds is sent again', async () => {
      await bench.fall();
      receiver.answerWith('silence');
      const sending = bench.sender().sendDue('webhook');
      await receiver.untilReceived(1);
      bench.admin.clock.advance(10 * second);
      await sending;
      const notice = await bench.only('webhook');
      expect(notice.failure).toBe('no answer in time');
      expectPause(notice.nextTryAt, 30 * second);
    });

    it('is given up at once when the receiver wants no more of it', async () => {
      await bench.fall();
      receiver.answerWith(410);
      const sender = bench.sender();
      await sender.sendDue('webhook');
      bench.admin.clock.advance(24 * hour);
      await sender.sendDue('webhook');
      expect(receiver.received).toHaveLength(1);
      expect(stateOf(await bench.only('webhook'))).toBe('given_up');
    });

    it('is given up after a day of failures, which the audit shows', async () => {
      const { userId } = await bench.fall();
      receiver.answerWith(500);
      const sender = bench.sender();
      for (let i = 0; i < 20; i++) {
        await sender.sendDue('webhook');
        bench.admin.clock.advance(5 * hour);
      }
      expect(receiver.received).toHaveLength(15);
      const { id } = await bench.only('webhook');
      expect(await bench.givenUp()).toMatchObject([
        {
          actor: 'system',
          subject: id,
          reason: 'answered 500',
          detail: { user: userId, medium: 'webhook', tries: 15 },
        },
      ]);
    });

    it('waits for its secret, and says so', async () => {
      await bench.fall();
      await bench.sender({ noticeSecret: null }).sendDue('webhook');
      const notice = await bench.only('webhook');
      expect(notice.failure).toBe('TINTYPE_NOTICE_SECRET is not set');
      expect(bench.log.join('')).toContain('TINTYPE_NOTICE_SECRET is not set');
      bench.admin.clock.advance(minute);
      await bench.sender().sendDue('webhook');
      expect(receiver.received).toMatchObject([{ id: notice.id }]);
    });

    it('is sent at once although the clock was set back since it was written', async () => {
      await bench.fall();
      bench.admin.clock.advance(-hour);
      await bench.sender().sendDue('webhook');
      expect(receiver.received).toHaveLength(1);
    });

    it('is sent again although the clock was set back by hours since it failed', async () => {
      await bench.fall();
      receiver.answerWith(500);
      await bench.sender().sendDue('webhook');
      receiver.answerWith(200);
      bench.admin.clock.advance(-8 * hour);
      await bench.sender().sendDue('webhook');
      expect(receiver.received).toHaveLength(2);
      expect(stateOf(await bench.only('webhook'))).toBe('sent');
    });

    it('is dropped where nobody wants any', async () => {
      await bench.fall();
      await bench.set('noticeWebhookUrl', '');
      await bench.sender().sendDue('webhook');
      expect(await bench.notices('webhook')).toEqual([]);
      expect(await bench.notices('email')).toHaveLength(1);
    });
  });

  describe('several processes', () => {
    it('send each notice once', async () => {
      for (let i = 0; i < 12; i++) await bench.fall();
      const senders = [bench.sender(), bench.sender({}, engine.openAgain(bench.database))];
      await Promise.all(senders.map((sender) => sender.sendDue('webhook')));
      const ids = receiver.received.map(({ id }) => id);
      expect(ids.sort()).toEqual((await bench.notices('webhook')).map(({ id }) => id).sort());
    });

    it('leave alone what one of them is sending', async () => {
      await bench.fall();
      receiver.answerWith('silence');
      const sending = bench.sender().sendDue('webhook');
      await receiver.untilReceived(1);
      await bench.sender({}, engine.openAgain(bench.database)).sendDue('webhook');
      expect(receiver.received).toHaveLength(1);
      bench.admin.clock.advance(10 * second);
      await sending;
    });

    it('take over what one was sending when it died', async () => {
      await bench.fall();
      const nowMs = bench.admin.clock.now();
      const untilMs = nowMs + 5 * minute;
      await bench.database.transaction((trx) =>
        claimDue(trx, { medium: 'webhook', nowMs }, { untilMs, limit: 4 }),
      );
      const sender = bench.sender();
      bench.admin.clock.advance(5 * minute - 1);
      await sender.sendDue('webhook');
      expect(receiver.received).toHaveLength(0);
      bench.admin.clock.advance(1);
      await sender.sendDue('webhook');
      expect(receiver.received).toHaveLength(1);
      expect(await bench.only('webhook')).toMatchObject({ tries: 2, failure: null });
    });
  });

  describe('a sender', () => {
    it('looks every few seconds, from its start on', async () => {
      await bench.fall();
      const sender = bench.sender();
      sender.start();
      bench.admin.clock.advance(5 * second);
      await receiver.untilReceived(1);
      await bench.fall();
      // Both media are asleep again: the first webhook is behind it.
      await bench.admin.clock.untilSleeping(2);
      bench.admin.clock.advance(5 * second);
      await receiver.untilReceived(2);
      await sender.stop();
      expect(bench.admin.clock.sleeping).toBe(0);
    });

    it('that stops waits for no answer, and what it was sending is sent later', async () => {
      await bench.fall();
      receiver.answerWith('silence');
      const sender = bench.sender();
      sender.start();
      bench.admin.clock.advance(5 * second);
      await receiver.untilReceived(1);
      await sender.stop();
      expect(stateOf(await bench.only('webhook'))).toBe('pending');
      receiver.answerWith(200);
      bench.admin.clock.advance(5 * minute);
      await bench.sender().sendDue('webhook');
      expect(receiver.received.map(({ id }) => id)).toEqual([
        receiver.received[0]?.id,
        receiver.received[0]?.id,
      ]);
    });
  });

  function expectPause(untilMs: number, aboutMs: number): void {
    const pauseMs = untilMs - bench.admin.clock.now();
    expect(pauseMs).toBeGreaterThanOrEqual(aboutMs * 0.75);
    expect(pauseMs).toBeLessThanOrEqual(aboutMs * 1.25);
  }
});
