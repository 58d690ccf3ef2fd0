import type { RecordCode } from '../../../shared/error-codes.ts';
import type { Operation } from '../../../shared/image-options.ts';
import type { KeyAccess } from '../../accounts/api-key.ts';
import type { Catalog } from '../../catalog/catalog.ts';
import type { UsageRecordRow } from '../../db/schema.ts';
import type { GivenRequest } from '../../images/image-request.ts';
import { askedFormOf } from './asked-form.ts';

/** A request that passed authentication and was refused before it had a hold. */
export interface Refusal {
  traceId: string;
  caller: KeyAccess;
  operation: Operation;
  /** Null when it is not valid. */
  request: GivenRequest | null;
  /** As the caller named it; null when its body could not be read, or names none. */
  model: string | null;
  /** `client_gone` where the caller had left: then nobody was refused, whatever would have been answered. */
  code: RecordCode;
}

/** Its usage record: cost 0 and the code. What is not a model of ours is not written down. */
export function refusedRecord(
  { traceId, caller, operation, request, model, code }: Refusal,
  { catalog, now }: { catalog: Catalog; now: number },
): UsageRecordRow {
  return {
    trace_id: traceId,
    user_id: caller.userId,
    api_key_id: caller.apiKeyId,
    model: (model === null ? null : catalog.model(model)?.id) ?? null,
    operation,
    status: code === 'client_gone' ? 'canceled' : 'failed',
    code,
    images_requested: request?.n ?? 1,
    images: 0,
    unit_price: 0,
    cost: 0,
    stream: request?.stream ? 1 : 0,
    size: request?.size ?? null,
    quality: request?.quality ?? null,
    output_format: request?.outputFormat ?? null,
    started_at: now,
    ended_at: now,
    attempts: null,
    asked: request && JSON.stringify(askedFormOf(request)),
  };
}
