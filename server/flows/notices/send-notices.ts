import { insertAuditEntry } from '../../audit/audit-store.ts';
import type { Database, Trx } from '../../db/db.ts';
import type { NoticeMedium } from '../../db/schema.ts';
import { makeId } from '../../lib/ids.ts';
import type { Logger } from '../../lib/logger.ts';
import { type Notice, noticeMedia, noticeTriesMax, pauseAfter } from '../../notices/notice.ts';
import { anyDue, claimDue, dropDue, markFailed, markSent } from '../../notices/notice-store.ts';
import type { SettingsCache } from '../../settings/settings-cache.ts';
import { type Delivery, deliverNotice, isOff, type NoticeMeans } from './deliver-notice.ts';

export interface NoticeSenderOptions {
  db: Database;
  log: Logger;
  settings: SettingsCache;
  means: NoticeMeans;
}

const pollMs = 5_000;
/** Of one medium, by one process. */
const sendingMax = 4;
/** Longer than any try takes: after it, the process that claimed a notice is taken to be dead. */
const claimMs = 5 * 60_000;

/**
 * Sends the notices that wait, each by one process at a time. One whose outcome nobody wrote down,
 * because its process died or the database was away, is sent again: at least once, never silently
 * not at all. Its ID stays, so that the receiver can tell.
 */
export class NoticeSender {
  readonly #options: NoticeSenderOptions;
  readonly #stop = new AbortController();
  #loops: readonly Promise<void>[] = [];

  constructor(options: NoticeSenderOptions) {
    this.#options = options;
  }

  start(): void {
    // Apart from each other: a receiver that does not answer holds up no e-mail.
    this.#loops = noticeMedia.map((medium) => this.#keepSending(medium));
  }

  /** Lets go of what is being sent: it is sent again later. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await Promise.all(this.#loops);
  }

  /** Sends what is due now. */
  async sendDue(medium: NoticeMedium): Promise<void> {
    const { db, means, settings } = this.#options;
    while (!this.#stop.signal.aborted) {
      const due = { medium, nowMs: means.clock.now() };
      if (!(await anyDue(db, due))) return;
      if (isOff(medium, { means, settings: await settings.current() })) {
        await this.#drop(due);
        return;
      }
      const claim = { untilMs: due.nowMs + claimMs, limit: sendingMax };
      const claimed = await db.transaction((trx) => claimDue(trx, due, claim));
      await Promise.all(claimed.map((notice) => this.#send(notice)));
    }
  }

  async #keepSending(medium: NoticeMedium): Promise<void> {
    const { log, means } = this.#options;
    for (;;) {
      try {
        await means.clock.sleep(pollMs, this.#stop.signal);
      } catch {
        // Stopped.
        return;
      }
      try {
        await this.sendDue(medium);
      } catch (error) {
        log.error({ medium, err: error }, 'notices could not be looked for');
      }
    }
  }

  async #drop(due: { medium: NoticeMedium; nowMs: number }): Promise<void> {
    const { db, log } = this.#options;
    const count = await db.transaction((trx) => dropDue(trx, due));
    log.info({ medium: due.medium, count }, 'notices dropped, because their medium is off');
  }

  async #send(notice: Notice): Promise<void> {
    const { db, log, means, settings } = this.#options;
    const about = { notice: notice.id, medium: notice.medium, trace_id: notice.traceId };
    try {
      const delivery = await unlessStopped(
        deliverNotice(db, notice, {
          means,
          settings: await settings.current(),
          signal: this.#stop.signal,
        }),
        this.#stop.signal,
      );
      await db.transaction((trx) => this.#note(trx, notice, delivery));
      if (delivery.kind === 'sent') log.info(about, 'notice sent');
      else log.warn({ ...about, tries: notice.tries, failure: delivery.reason }, 'notice not sent');
    } catch (error) {
      if (this.#stop.signal.aborted) return;
      // Its claim runs out, and then it is sent again.
      log.error({ ...about, err: error }, 'the outcome of a notice is not known');
    }
  }

  async #note(trx: Trx, notice: Notice, delivery: Delivery): Promise<void> {
    const nowMs = this.#options.means.clock.now();
    if (delivery.kind === 'sent') {
      await markSent(trx, notice, nowMs);
      return;
    }
    const failure = delivery.reason;
    if (!delivery.isFinal && notice.tries < noticeTriesMax) {
      const nextTryAt = nowMs + pauseAfter(notice.tries, Math.random());
      await markFailed(trx, notice, { failure, nextTryAt });
    } else if (await markFailed(trx, notice, { failure, givenUpAt: nowMs })) {
      await auditGivenUp(trx, notice, { failure, nowMs });
    }
  }
}

function auditGivenUp(
  trx: Trx,
  { id, userId, medium, tries }: Notice,
  { failure, nowMs }: { failure: string; nowMs: number },
): Promise<void> {
  return insertAuditEntry(trx, {
    id: makeId('aud', nowMs),
    actor: 'system',
    action: 'notice.give_up',
    subject: id,
    reason: failure,
    detail: { user: userId, medium, tries },
    createdAt: nowMs,
  });
}

/** What is still asked of the database, or of a name server, is not waited for. */
function unlessStopped<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const leave = () => reject(signal.reason);
    if (signal.aborted) leave();
    signal.addEventListener('abort', leave, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave));
  });
}
