/** `/metrics`, for whoever watches the service: on a port of its own, or for a token. */
import { createHash, timingSafeEqual } from 'node:crypto';
import { type FastifyInstance, type FastifyRequest, fastify } from 'fastify';
import type { Clock } from '../lib/clock.ts';
import { makeId } from '../lib/ids.ts';
import { ServiceError } from '../lib/service-error.ts';
import { bearerOf } from './authenticate.ts';
import { errorBody, errorHeaders, statusOf, toServiceError } from './errors.ts';

export interface MetricsAccess {
  /** What must be sent as a bearer token; null where whoever reaches the port may read. */
  secret: string | null;
  read: () => Promise<{ contentType: string; text: string }>;
}

const metricsPath = '/metrics';

/** Adds the route. Where it is not added, its address is like any other that does not exist. */
export function serveMetrics(app: FastifyInstance, { secret, read }: MetricsAccess): void {
  app.route({
    method: 'GET',
    url: metricsPath,
    onRequest: async (request) => {
      if (secret !== null) requireSecret(request, secret);
    },
    handler: async (_request, reply) => {
      const { contentType, text } = await read();
      return reply
        .header('content-type', contentType)
        .header('cache-control', 'no-store')
        .send(text);
    },
  });
}

/** A server of which nothing but the metrics can be had. */
export function createMetricsServer(access: MetricsAccess, clock: Clock): FastifyInstance {
  const app = fastify({
    genReqId: () => makeId('tr', clock.now()),
    // Whoever sends half a question, or takes no answer, would be waited for without end.
    forceCloseConnections: true,
  });
  app.setErrorHandler((thrown, request, reply) => {
    const error = toServiceError(thrown);
    reply
      .headers(errorHeaders(error))
      .code(statusOf(error.code))
      .send(errorBody(error, request.id));
  });
  app.setNotFoundHandler(() => {
    throw new ServiceError('not_found', `There is nothing here but ${metricsPath}.`);
  });
  serveMetrics(app, access);
  return app;
}

function requireSecret({ raw }: FastifyRequest, secret: string): void {
  const given = bearerOf(raw.rawHeaders);
  if (given !== null && isSame(given, secret)) return;
  throw new ServiceError(
    'unauthorized',
    'Send the metrics token: "Authorization: Bearer <token>".',
  );
}

/** Takes as long whatever the texts have in common. */
function isSame(given: string, wanted: string): boolean {
  const hashOf = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(hashOf(given), hashOf(wanted));
}
