import { takePaymentReport } from '../../flows/payments/take-payment-report.ts';
import { ServiceError } from '../../lib/service-error.ts';
import { isSigned, paymentReportSchema } from '../../payments/payment-report.ts';
import { checkReport, parseReport } from '../../payments/report-body.ts';
import type { Call } from '../call.ts';
import { nothingHere, notSigned, readRawBody } from './raw-body.ts';
import type { WebhookDeps } from './webhook-deps.ts';

/** Reports of payments by another provider than those that are built in. */
export async function answerPaymentReport({ request }: Call, deps: WebhookDeps): Promise<object> {
  const { reportSecret: secret, clock, pace } = deps;
  if (secret === null) throw nothingHere();
  const signature = request.headers['tintype-signature'];
  if (typeof signature !== 'string') throw notSigned();
  const body = await readRawBody(request.raw, pace);
  if (!isSigned({ body, signature }, { secret, nowMs: clock.now() })) throw notSigned();
  const outcome = await takePaymentReport(deps, readReport(body));
  if (outcome !== 'unknown') return { outcome };
  throw new ServiceError('not_found', 'There is no such payment of this provider.');
}

function readReport(body: Buffer) {
  return checkReport(paymentReportSchema, parseReport(body, 'report'), 'report');
}
