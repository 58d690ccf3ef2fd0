import type { Socket } from 'node:net';
import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from 'fastify';
import type { KeyAccess } from '../accounts/api-key.ts';
import { must } from '../lib/assert.ts';
import type { Clock } from '../lib/clock.ts';
import { makeId } from '../lib/ids.ts';
import type { Logger } from '../lib/logger.ts';
import { invalidRequest, ServiceError } from '../lib/service-error.ts';
import { authenticate, type KeyDeps } from './authenticate.ts';
import { answerBrokenRequests, headerBytesMax } from './connections/broken-request.ts';
import { type ConnectionTimes, nodeTimes } from './connections/connection-times.ts';
import { answerInTime } from './connections/late-answers.ts';
import { leaveExpectationsAlone } from './connections/offered-body.ts';
import { isAhead, turnOf } from './connections/requests-ahead.ts';
import { closeUnusedConnections } from './connections/unused-connections.ts';
import type { ConsoleDeps } from './console/console-deps.ts';
import { consoleHeaders, isConsoleApi } from './console/console-headers.ts';
import { serveConsole } from './console/serve-console.ts';
import { errorBody, errorHeaders, statusOf, statusOfError, toServiceError } from './errors.ts';
import { noteFailure } from './failures.ts';
import { type MetricsAccess, serveMetrics } from './metrics.ts';
import { nothingHere } from './nothing-here.ts';
import { plainAddress } from './plain-address.ts';
import { factsOf } from './request-facts.ts';
import { type RequestWatch, tellWhenAnswered } from './request-watch.ts';
import { methodsOf, type Route, type RouteDeps, routes } from './routes.ts';
import { unfitnessOf } from './unfit-request.ts';
import { allowAnyOrigin, allowPreflight, isPreflight } from './v1/cors.ts';
import type { ConsoleFiles } from './web/console-files.ts';
import { sendPage, serveWeb, wantsPage } from './web/serve-web.ts';

export interface HttpServerDeps extends RouteDeps, KeyDeps {
  clock: Clock;
  log: Logger;
  times: ConnectionTimes;
  watch: RequestWatch;
  /** Null where this port has no metrics. */
  metrics: MetricsAccess | null;
  console: ConsoleDeps;
  /** The console's own files; null when it is not built. */
  web: ConsoleFiles | null;
  /** Whether somebody has an account; until then nobody can have a key. */
  isSetUp: () => Promise<boolean>;
}

const keepAliveTimeoutMs = 75_000;
/** Longer than any path of ours. */
const pathParameterCharactersMax = 200;

/** The HTTP side of the service: routes, trace IDs, keys, errors, one log line per request. */
export function createHttpServer(deps: HttpServerDeps): FastifyInstance {
  const times = nodeTimes(deps.times);
  const app = fastify({
    genReqId: () => makeId('tr', deps.clock.now()),
    rewriteUrl: ({ url = '/' }) => plainAddress(url),
    routerOptions: { maxParamLength: pathParameterCharactersMax },
    requestTimeout: times.requestTimeout,
    keepAliveTimeout: keepAliveTimeoutMs,
    http: {
      ...times,
      maxHeaderSize: headerBytesMax,
      // Node's own refusal has neither a body nor a trace ID: see `unfitnessOf`.
      requireHostHeader: false,
    },
    // See `answerBrokenRequests`.
    clientErrorHandler: () => {},
    frameworkErrors: (error, request, reply) => answerUnroutable(error, { request, reply }, deps),
  });
  // Unlimited in number here, because Node would drop the rest without a word, a key among them.
  app.server.maxHeadersCount = 0;
  answerBrokenRequests(app.server, deps);
  leaveBodiesAlone(app);
  leaveExpectationsAlone(app.server);
  closeUnusedConnections(app);
  app.addHook('onRequest', async (request, reply) => onRequest(request, reply, deps));
  app.addHook('onRequest', async (request, reply) => answerUnknown(request, reply, deps));
  app.setErrorHandler((thrown, request, reply) => sendError(thrown, request, reply, deps));
  for (const route of routes) addRoute(app, route, deps);
  if (deps.metrics) serveMetrics(app, deps.metrics);
  serveConsole(app, deps.console);
  serveWeb(app, deps);
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
  deps: HttpServerDeps,
): Promise<void> {
  beginAnswer(request, reply, deps);
  refuseUnfit(request, reply);
  if (isAhead(reply.raw)) await turnOf(request.raw.socket);
  if (isApi(request) && request.method !== 'OPTIONS' && !(await deps.isSetUp())) {
    throw new ServiceError(
      'unavailable',
      'This service is not set up yet: open the setup link that it printed when it started.',
      { retryable: false },
    );
  }
}

/** What every answer has, whatever becomes of it. */
function beginAnswer(request: FastifyRequest, reply: FastifyReply, deps: HttpServerDeps): void {
  reply.header('x-request-id', request.id);
  if (isApi(request)) allowAnyOrigin(reply);
  if (isConsoleApi(request.url)) reply.headers(consoleHeaders);
  tellWhenAnswered(request, reply, deps);
}

/** Connections that are to be closed: what still comes on them is not acted upon. */
const unfit = new WeakSet<Socket>();

function refuseUnfit({ raw, originalUrl }: FastifyRequest, reply: FastifyReply): void {
  const why = unfitnessOf(raw, originalUrl);
  if (why === null && !unfit.has(raw.socket)) return;
  unfit.add(raw.socket);
  reply.header('connection', 'close');
  throw invalidRequest(null, why ?? 'The request follows one that closed the connection.');
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
      const caller = await authenticate(request, deps);
      const { userId, apiKeyId } = caller;
      Object.assign(factsOf(request), { userId, apiKeyId });
      callers.set(request, caller);
    },
    handler: (request, reply) => {
      const caller = must(callers.get(request), 'the caller, whose key was checked');
      const admitAgain = () => authenticate(request, deps);
      return route.handle({ request, reply, caller, admitAgain }, deps);
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
  noteFailure(request, error, log);
  const traceId = String(reply.getHeader('x-request-id'));
  reply.headers(errorHeaders(error)).code(statusOfError(error));
  const answer = () => void reply.send(errorBody(error, traceId));
  // Nothing that follows is acted upon.
  if (reply.getHeader('connection') === 'close') answer();
  else answerInTime(request.raw, answer);
}

/** What the framework itself refuses before a route runs is the caller's mistake. */
function fastifyError(thrown: unknown): ServiceError | null {
  if (!(thrown instanceof Error) || !('code' in thrown) || typeof thrown.code !== 'string') {
    return null;
  }
  switch (thrown.code) {
    case 'FST_ERR_BAD_URL':
      return invalidRequest(null, 'The address is not well-formed.');
    case 'FST_ERR_MAX_PARAM_LENGTH':
      return nothingHere('');
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return invalidRequest(
        null,
        'The Content-Type is not a media type. Send application/json or, for edits, multipart/form-data.',
      );
    default:
      if (!thrown.code.startsWith('FST_ERR_CTP')) return null;
      return invalidRequest(null, 'The request is not well-formed HTTP.');
  }
}

/** Addresses with which the router cannot even begin, so that none of the hooks have run. */
function answerUnroutable(
  thrown: unknown,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  deps: HttpServerDeps,
): void {
  beginAnswer(request, reply, deps);
  if (deps.web && wantsPage(request)) void sendMissing({ request, reply }, deps.web, deps);
  else sendError(thrown, request, reply, deps);
}

/** Answers what has no route, before the framework looks at its body. */
function answerUnknown(
  request: FastifyRequest,
  reply: FastifyReply,
  deps: HttpServerDeps,
): FastifyReply | void {
  if (!request.is404) return;
  const [path = ''] = request.url.split('?');
  const methods = methodsOf(path);
  const asksForLeave = isApi(request) && isPreflight(request);
  if (asksForLeave) allowPreflight(request, reply);
  if (methods.length === 0) {
    if (asksForLeave) return reply.code(204).send();
    if (!deps.web || !wantsPage(request)) throw nothingHere(path);
    return sendMissing({ request, reply }, deps.web, deps);
  }
  reply.header('allow', methods.join(', '));
  if (request.method !== 'OPTIONS') {
    throw new ServiceError('method_not_allowed', `This address takes ${methods.join(', ')}.`);
  }
  return reply.code(204).send();
}

/** The console's own page says it better to whoever reads pages. */
function sendMissing(
  call: { request: FastifyRequest; reply: FastifyReply },
  web: ConsoleFiles,
  deps: HttpServerDeps,
): FastifyReply {
  call.reply.code(statusOf('not_found'));
  return sendPage(call, web.page, deps.console);
}

function isApi(request: FastifyRequest): boolean {
  return /^\/v1(?:[/?]|$)/.test(request.url);
}
