/**
 * The write side of usage records: steps that a flow puts into the same chain as the money, and the
 * batch of records of refused requests.
 */
import { sql } from 'kysely';
import type { RecordCode } from '../../shared/error-codes.ts';
import type { Operation } from '../../shared/image-options.ts';
import type { StepBuilder } from '../db/chain.ts';
import type { Trx } from '../db/db.ts';
import type { Flag } from '../db/flag.ts';
import type { UsageRecordRow } from '../db/schema.ts';

export type StartRecordParams = {
  traceId: string;
  userId: string;
  apiKeyId: string;
  model: string;
  operation: Operation;
  imagesRequested: number;
  unitPrice: number;
  stream: Flag;
  size: string;
  quality: string;
  outputFormat: string;
  /** JSON object. */
  asked: string;
  now: number;
};

export type SucceedRecordParams = {
  images: number;
  cost: number;
  size: string;
  quality: string;
  outputFormat: string;
  attempts: string;
  now: number;
};

export type FailRecordParams = {
  status: 'failed' | 'canceled';
  code: RecordCode;
  /** Null leaves those that the record tells of. */
  attempts: string | null;
  now: number;
};

export function startRecord<P extends StartRecordParams>(when: string): StepBuilder<P> {
  return ({ insertWhen, param }) =>
    insertWhen(when, 'usage_records', {
      trace_id: param('traceId'),
      user_id: param('userId'),
      api_key_id: param('apiKeyId'),
      model: param('model'),
      operation: param('operation'),
      status: 'running',
      images_requested: param('imagesRequested'),
      images: 0,
      unit_price: param('unitPrice'),
      cost: 0,
      stream: param('stream'),
      size: param('size'),
      quality: param('quality'),
      output_format: param('outputFormat'),
      asked: param('asked'),
      started_at: param('now'),
    });
}

/** @param hold the step that ended the request's hold */
export function succeedRecord<P extends SucceedRecordParams>(hold: string): StepBuilder<P> {
  return ({ kysely, column, param }) =>
    kysely
      .updateTable('usage_records')
      .set({
        status: 'succeeded',
        images: param('images'),
        cost: param('cost'),
        size: param('size'),
        quality: param('quality'),
        output_format: param('outputFormat'),
        attempts: param('attempts'),
        ended_at: param('now'),
      })
      .where('trace_id', '=', column<string>(hold, 'trace_id'));
}

/** @param hold the step that ended the request's hold */
export function failRecord<P extends FailRecordParams>(hold: string): StepBuilder<P> {
  return ({ kysely, column, param }) =>
    kysely
      .updateTable('usage_records')
      .set({
        status: param('status'),
        code: param('code'),
        images: 0,
        cost: 0,
        attempts: sql<string | null>`coalesce(${param('attempts')}, attempts)`,
        ended_at: param('now'),
      })
      .where('trace_id', '=', column<string>(hold, 'trace_id'));
}

/**
 * Records requests that were refused before they got a hold. A request that has a record already keeps that one: it was
 * admitted, although whoever refused it could not know, as when the database did not answer.
 */
export async function addRefusedRecords(
  trx: Trx,
  records: readonly UsageRecordRow[],
): Promise<void> {
  await trx.kysely
    .insertInto('usage_records')
    .values(records)
    .onConflict((conflict) => conflict.column('trace_id').doNothing())
    .execute();
}
