/** The part of the composition root that writes off the hot path, in batches. */
import { KeyUses } from '../accounts/key-uses.ts';
import type { Database } from '../db/db.ts';
import type { UsageRecordRow } from '../db/schema.ts';
import { Deliveries } from '../flows/money/note-deliveries.ts';
import { type Refusal, refusedRecord } from '../flows/requests/refused-record.ts';
import { BatchWriter } from '../lib/batch-writer.ts';
import type { Clock } from '../lib/clock.ts';
import type { Logger } from '../lib/logger.ts';
import { addRefusedRecords } from '../usage/record-store.ts';
import type { Memory } from './memory.ts';

interface Surroundings {
  clock: Clock;
  log: Logger;
}

export interface Writers {
  deliveries: Deliveries;
  refusals: BatchWriter<UsageRecordRow>;
  /** Ends when all that was refused until now waits in `refusals`. */
  refused: Promise<void>;
  keyUses: KeyUses;
}

const refusalDelayMs = 250;
const writerLimits = { batchMax: 200, waitingMax: 20_000 };

export function createWriters(database: Database, { clock, log }: Surroundings): Writers {
  return {
    deliveries: new Deliveries({ db: database, clock, log }),
    keyUses: new KeyUses({ database, clock, log }),
    refused: Promise.resolve(),
    refusals: new BatchWriter({
      ...writerLimits,
      clock,
      delayMs: refusalDelayMs,
      write: (records) => database.transaction((trx) => addRefusedRecords(trx, records)),
      onLost: (records, error) =>
        log.error({ count: records.length, err: error }, 'refused requests were not recorded'),
    }),
  };
}

export function noteRefusal(
  refusal: Refusal,
  { clock, log, memory, writers }: Surroundings & { memory: Memory; writers: Writers },
): void {
  const noted = memory.catalog.current().then(
    (catalog) => writers.refusals.add(refusedRecord(refusal, { catalog, now: clock.now() })),
    (error: unknown) => log.error({ err: error }, 'a refused request was not recorded'),
  );
  // With nothing in it: what each resolved with would keep all those before it for ever.
  writers.refused = Promise.all([writers.refused, noted]).then(() => {});
}
