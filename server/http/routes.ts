/** Every route of the service in one list. */
import { ServiceError } from '../lib/service-error.ts';
import type { Call, KeyCall } from './call.ts';
import { consolePrefix } from './console/console-path.ts';
import { consoleRoutes } from './console/console-routes.ts';
import { nothingHere } from './nothing-here.ts';
import { answerImageRequest, type ImageRouteDeps } from './v1/image-route.ts';
import { presentModels, presentOneModel } from './v1/models.ts';
import { answerPaymentReport } from './webhooks/payment-webhook.ts';
import { answerStripe } from './webhooks/stripe-webhook.ts';
import type { WebhookDeps } from './webhooks/webhook-deps.ts';

export interface RouteDeps extends ImageRouteDeps {
  /** The OpenAPI document, in JSON: one for all who ask, or those who do not take it would fill the memory. */
  openapi: () => Buffer;
  /** Whether the service can take requests: its database answers and it is not stopping. */
  isReady: () => Promise<boolean>;
  /** For what providers of payments report. */
  webhooks: WebhookDeps;
}

interface RouteAddress {
  method: 'GET' | 'POST';
  path: string;
}

/** A route for holders of an API key, or one that answers everybody alike. */
export type Route = RouteAddress &
  (
    | { access: 'api_key'; handle: (call: KeyCall, deps: RouteDeps) => Promise<unknown> }
    | { access: 'public'; handle: (call: Call, deps: RouteDeps) => Promise<unknown> }
  );

export const routes: readonly Route[] = [
  {
    method: 'POST',
    path: '/v1/images/generations',
    access: 'api_key',
    handle: (call, deps) => answerImageRequest('generation', call, deps),
  },
  {
    method: 'POST',
    path: '/v1/images/edits',
    access: 'api_key',
    handle: (call, deps) => answerImageRequest('edit', call, deps),
  },
  {
    method: 'GET',
    path: '/v1/models',
    access: 'api_key',
    handle: ({ caller }, { services }) => presentModels(services, caller),
  },
  {
    method: 'GET',
    path: '/v1/models/:id',
    access: 'api_key',
    handle: async ({ caller, request }, { services }) => {
      // The path names exactly this parameter.
      const { id } = request.params as { id: string };
      // To the router, the list's own address with a slash too many is this one as well.
      if (id === '') throw nothingHere('/v1/models/');
      return presentOneModel(services, caller, id);
    },
  },
  {
    method: 'POST',
    path: '/webhooks/stripe',
    access: 'public',
    handle: (call, { webhooks }) => answerStripe(call, webhooks),
  },
  {
    method: 'POST',
    path: '/webhooks/payments',
    access: 'public',
    handle: (call, { webhooks }) => answerPaymentReport(call, webhooks),
  },
  {
    method: 'GET',
    path: '/openapi.json',
    access: 'public',
    handle: async ({ reply }, { openapi }) => {
      return reply.type('application/json; charset=utf-8').send(openapi());
    },
  },
  {
    method: 'GET',
    path: '/healthz',
    access: 'public',
    handle: async () => ({ status: 'ok' }),
  },
  {
    method: 'GET',
    path: '/readyz',
    access: 'public',
    handle: async (_call, { isReady }) => {
      if (await isReady()) return { status: 'ready' };
      throw new ServiceError('unavailable', 'The service is not ready.', { retryAfterSeconds: 5 });
    },
  },
];

const consoleAddresses = consoleRoutes.map(({ method, path }) => ({
  method,
  path: `${consolePrefix}${path}`,
}));

/** The methods that a path takes; none when it is not one of ours. */
export function methodsOf(path: string): readonly string[] {
  const found = [...routes, ...consoleAddresses].filter((route) => matches(route.path, path));
  const methods = [...new Set(found.map(({ method }) => method))];
  if (methods.length === 0) return [];
  // What can be got can be asked for without its body.
  return [...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'];
}

function matches(pattern: string, path: string): boolean {
  const wanted = pattern.split('/');
  const given = path.split('/');
  return (
    wanted.length === given.length &&
    wanted.every((part, index) => {
      return part.startsWith(':') ? given[index] !== '' : part === given[index];
    })
  );
}
