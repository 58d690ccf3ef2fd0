/** What providers of payments post, in the OpenAPI document. docs/payments.md says more. */
import { paymentReportSchema } from '../../payments/payment-report.ts';
import {
  errorRefs,
  headerRefs,
  type JsonObject,
  requestSchema,
  slowBodyRef,
} from '../openapi-parts.ts';

const errors = ['invalid_request_error', 'not_found', 'unavailable', 'internal_error'] as const;

export function webhookOperations(): Readonly<Record<string, JsonObject>> {
  return {
    '/webhooks/stripe': {
      post: operation({
        id: 'stripeWebhook',
        summary: 'Events of Stripe, signed by it; exists only if Stripe is configured',
        signature: 'stripe-signature',
        body: { type: 'object', description: 'An event as Stripe documents it.' },
        answer: { type: 'object', properties: { received: { type: 'boolean' } } },
      }),
    },
    '/webhooks/payments': {
      post: operation({
        id: 'paymentWebhook',
        summary: 'Payments through any other provider, reported by the operator’s own integration',
        signature: 'tintype-signature',
        body: requestSchema(paymentReportSchema),
        answer: {
          type: 'object',
          properties: { outcome: { enum: ['done', 'repeated', 'refused'] } },
        },
      }),
    },
  };
}

interface Described {
  id: string;
  summary: string;
  /** The header that carries it. */
  signature: string;
  body: JsonObject;
  answer: JsonObject;
}

function operation({ id, summary, signature, body, answer }: Described): JsonObject {
  return {
    operationId: id,
    summary,
    security: [],
    parameters: [
      {
        name: signature,
        in: 'header',
        required: true,
        description: '`t=<Unix seconds>,v1=<hex>`: HMAC-SHA256 over `<seconds>.<body>`.',
        schema: { type: 'string' },
      },
    ],
    requestBody: { required: true, content: { 'application/json': { schema: body } } },
    responses: {
      200: {
        description: 'Taken, or known already: it need not be sent again.',
        headers: headerRefs(['x-request-id']),
        content: { 'application/json': { schema: answer } },
      },
      ...errorRefs(errors),
      ...slowBodyRef,
    },
  };
}
