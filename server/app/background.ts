/** The part of the composition root that works by itself, whether or not requests come. */

import type { Config } from '../config.ts';
import type { Database } from '../db/db.ts';
import { earlierTime } from '../db/earlier-time.ts';
import { HistoryPruner } from '../flows/installation/prune-history.ts';
import { openNoticeMeans } from '../flows/notices/open-notice-means.ts';
import { NoticeSender } from '../flows/notices/send-notices.ts';
import { UpstreamChecks } from '../flows/upstreams/check-upstreams.ts';
import type { Clock } from '../lib/clock.ts';
import type { Logger } from '../lib/logger.ts';
import type { MailOutcome } from '../lib/mailer.ts';
import { adapterKinds } from '../upstreams/registry.ts';
import type { Memory } from './memory.ts';

interface Surroundings {
  config: Config;
  clock: Clock;
  log: Logger;
}

export interface Background {
  start(): void;
  /** Resolves when nothing is under way any more. */
  stop(): Promise<void>;
}

export function createBackground(
  database: Database,
  { settings, secretBox }: Memory,
  {
    config,
    clock,
    log,
    processId,
    onMail,
  }: Surroundings & { processId: string; onMail: (outcome: MailOutcome) => void },
): Background {
  const all = [
    new NoticeSender({
      db: database,
      log,
      settings,
      means: openNoticeMeans(config, clock, onMail),
    }),
    new UpstreamChecks({
      database,
      clock,
      log,
      access: { kinds: adapterKinds, secretBox },
      everyMs: config.upstreamCheckMs,
    }),
    new HistoryPruner({
      database,
      clock,
      now: () => earlierTime(database, clock),
      log,
      settings,
      processId,
    }),
  ];
  return {
    start: () => {
      for (const each of all) each.start();
    },
    stop: async () => {
      await Promise.all(all.map((each) => each.stop()));
    },
  };
}
