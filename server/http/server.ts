import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from 'fastify';
import type { KeyAccess } from '../accounts/api-key.ts';
import type { KeyRing } from '../accounts/key-ring.ts';
import type { Clock } from '../lib/clock.ts';
import { makeId } from '../lib/ids.ts';
import type { Logger } from '../lib/logger.ts';
import { ServiceError } from '../lib/service-error.ts';
import { authenticate } from './authenticate.ts';
import { errorBody, errorHeaders, statusOf, toServiceError } from './errors.ts';
import { methodsOf, type Route, type RouteDeps, routes } from './routes.ts';
import { allowAnyOrigin, answerPreflight } from './v1/cors.ts';

export interface HttpServerDeps extends RouteDeps {
  keys: KeyRing;
  clock: Clock;
  log: Logger;
  /** True from the moment the service is told to stop. */
  isStopping: () => boolean;
}

const headersTimeoutMs = 60_000;
const requestTimeoutMs = 300_000;
const keepAliveTimeoutMs = 75_000;
const headerBytesMax = 16_384;
const headersMax = 200;
/** Longer than any path of ours. */
const pathParameterCharactersMax = 200;

/** The HTTP side of the service: routes, trace IDs, keys, errors, one log line per request. */
export function createHttpServer(deps: HttpServerDeps): FastifyInstance {
  const app = fastify({
    genReqId: () => makeId('tr', deps.clock.now()),
    routerOptions: { maxParamLength: pathParameterCharactersMax },
    requestTimeout: requestTimeoutMs,
    keepAliveTimeout: keepAliveTimeoutMs,
    http: { headersTimeout: headersTimeoutMs, maxHeaderSize: headerBytesMax },
    clientErrorHandler: (error, socket) => answerBrokenRequest(error, socket, deps),
  });
  app.server.maxHeadersCount = headersMax;
  leaveBodiesAlone(app);
  app.addHook('onRequest', async (request, reply) => onRequest(request, reply, deps));
  app.addHook('onResponse', async (request, reply) => logRequest(request, reply, deps));
  app.setErrorHandler((thrown, request, reply) => sendError(thrown, request, reply, deps));
  app.setNotFoundHandler((request, reply) => answerUnknown(request, reply));
  for (const route of routes) addRoute(app, route, deps);
  return app;
}

/** Image routes read their own bodies, after the key was checked; the other routes have none. */
function leaveBodiesAlone(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, _payload, done) => done(null));
}

async function onRequest(
  request: FastifyRequest,
  reply: FastifyReply,
  { isStopping }: HttpServerDeps,
): Promise<void> {
  reply.header('x-request-id', request.id);
  if (isApi(request)) allowAnyOrigin(reply);
  if (isStopping() && isApi(request)) {
    reply.header('connection', 'close');
    throw new ServiceError('unavailable', 'The service is stopping. Try again.', {
      retryAfterSeconds: 5,
    });
  }
}

function addRoute(app: FastifyInstance, route: Route, deps: HttpServerDeps): void {
  if (route.access === 'public') {
    app.route({
      method: route.method,
      url: route.path,
      handler: (request, reply) => route.handle({ request, reply }, deps),
    });
    return;
  }
  const callers = new WeakMap<FastifyRequest, KeyAccess>();
  app.route({
    method: route.method,
    url: route.path,
    // Before the body is read.
    onRequest: async (request) => {
      callers.set(request, await authenticate(request, deps.keys));
    },
    handler: (request, reply) => {
      const caller = callers.get(request);
      if (!caller) throw new Error('broken expectation: the key was checked');
      return route.handle({ request, reply, caller }, deps);
    },
  });
}

function sendError(
  thrown: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  { log }: HttpServerDeps,
): void {
  const error = toServiceError(fastifyError(thrown) ?? thrown);
  if (error.code === 'internal_error' || error.code === 'unavailable') {
    log.error({ trace_id: request.id, err: error }, 'request failed');
  } else if (error.code === 'upstream_error') {
    log.warn({ trace_id: request.id, err: error }, 'upstream failed');
  }
  failedCodes.set(request, error.code);
  const traceId = String(reply.getHeader('x-request-id'));
  reply.headers(errorHeaders(error)).code(statusOf(error.code)).send(errorBody(error, traceId));
}

/** Codes of the requests that failed, for their log lines. */
const failedCodes = new WeakMap<FastifyRequest, string>();

/** What the framework itself refuses before a route runs is the caller's mistake. */
function fastifyError(thrown: unknown): ServiceError | null {
  if (!(thrown instanceof Error) || !('code' in thrown) || typeof thrown.code !== 'string') {
    return null;
  }
  if (!thrown.code.startsWith('FST_ERR_CTP') && thrown.code !== 'FST_ERR_BAD_URL') return null;
  return new ServiceError('invalid_request_error', 'The request is not well-formed HTTP.', {
    cause: thrown,
  });
}

function answerUnknown(request: FastifyRequest, reply: FastifyReply): void {
  const [path = ''] = request.url.split('?');
  const methods = methodsOf(path);
  if (methods.length === 0) {
    throw new ServiceError('not_found', 'There is nothing at this address. See /openapi.json.');
  }
  if (request.method === 'OPTIONS') return answerPreflight(request, reply, methods);
  reply.header('allow', [...methods, 'OPTIONS'].join(', '));
  throw new ServiceError('method_not_allowed', `This address takes ${methods.join(' and ')}.`);
}

/** Requests that are not HTTP never reach a route; they are answered and cut off here. */
function answerBrokenRequest(
  error: Error & { code?: string },
  socket: Socket,
  { clock, log }: HttpServerDeps,
): void {
  const traceId = makeId('tr', clock.now());
  log.debug({ trace_id: traceId, code: error.code }, 'broken request');
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const status = brokenRequestStatuses[error.code ?? ''] ?? 400;
  const message = 'The request is not well-formed HTTP.';
  const body = JSON.stringify(
    errorBody(new ServiceError('invalid_request_error', message), traceId),
  );
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nx-request-id: ${traceId}\r\nconnection: close\r\n` +
      `content-type: application/json; charset=utf-8\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}

const brokenRequestStatuses: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

function logRequest(
  request: FastifyRequest,
  reply: FastifyReply,
  { log }: HttpServerDeps,
): void {
  log.info(
    {
      trace_id: request.id,
      method: request.method,
      // The pattern, not the address: that could carry anything.
      route: request.routeOptions.url ?? null,
      status: reply.raw.statusCode,
      code: failedCodes.get(request) ?? null,
      duration_ms: Math.round(reply.elapsedTime),
    },
    'request',
  );
}

function isApi(request: FastifyRequest): boolean {
  return request.url.startsWith('/v1/');
}
