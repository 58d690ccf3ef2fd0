import { expect, it } from 'vitest';
import { forEachEngine } from '../../test/support/databases/databases.ts';
import { addSpender, admissionOf, startProcess } from '../../test/support/money/spending.ts';
import type { UsageRecordRow } from '../db/schema.ts';
import { admit } from '../flows/money/hold-money.ts';
import { systemClock } from '../lib/clock.ts';
import { makeId } from '../lib/ids.ts';
import { addRefusedRecords } from './record-store.ts';

forEachEngine((engine) => {
  it('records refused requests, though one of them was admitted without being told so', async () => {
    const database = await engine.open();
    const spender = await addSpender(database, '1.00');
    const { id: processId } = await startProcess(database);
    const admitted = admissionOf(spender, { processId });
    await admit(database, systemClock, admitted);
    const refused = makeId('tr', systemClock.now());
    const records = [admitted.traceId, refused].map((id) => refusedRow(id, spender.userId));
    await database.transaction((trx) => addRefusedRecords(trx, records));
    const kept = await database.kysely
      .selectFrom('usage_records')
      .select(['trace_id', 'status'])
      .execute();
    expect(new Map(kept.map((row) => [row.trace_id, row.status]))).toEqual(
      new Map([
        [admitted.traceId, 'running'],
        [refused, 'failed'],
      ]),
    );
  });
});

function refusedRow(traceId: string, userId: string): UsageRecordRow {
  return {
    trace_id: traceId,
    user_id: userId,
    api_key_id: null,
    model: null,
    operation: 'generation',
    status: 'failed',
    code: 'unavailable',
    images_requested: 1,
    images: 0,
    unit_price: 0,
    cost: 0,
    stream: 0,
    size: null,
    quality: null,
    output_format: null,
    started_at: 1,
    ended_at: 1,
    attempts: null,
    asked: null,
  };
}
