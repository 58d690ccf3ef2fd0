import type { IncomingMessage } from 'node:http';
import { invalidRequest, ServiceError } from '../../lib/service-error.ts';
import { paymentLimits } from '../../payments/payment.ts';
import { drain } from '../connections/drain.ts';
import { readBody } from '../v1/request-body.ts';
import type { UploadPace } from '../v1/upload-memory.ts';

/** The bytes as they came: the signature is over them, not over what they mean. */
export async function readRawBody(message: IncomingMessage, pace: UploadPace): Promise<Buffer> {
  try {
    return await readBody(message, { bytesMax: paymentLimits.webhookBytesMax, pace });
  } catch (error) {
    drain(message);
    throw error;
  }
}

/** Says nothing of what is wrong to whoever cannot sign. */
export function notSigned(): ServiceError {
  return invalidRequest(null, 'The signature is missing, wrong or too old.');
}

/** Where it is not configured, nothing is there. */
export function nothingHere(): ServiceError {
  return new ServiceError('not_found', 'There is nothing at this address. See /openapi.json.');
}
