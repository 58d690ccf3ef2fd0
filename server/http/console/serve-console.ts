import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { assert, must } from '../../lib/assert.ts';
import { invalidRequest, type ServiceError } from '../../lib/service-error.ts';
import { readJsonObject } from '../v1/json-body.ts';
import { contentTypeOf, refuseEncodedBody } from '../v1/request-body.ts';
import type { ConsoleDeps } from './console-deps.ts';
import { consolePrefix } from './console-path.ts';
import type { ConsoleRoute, Viewer } from './console-route.ts';
import { consoleRoutes } from './console-routes.ts';
import {
  readViewer,
  refuseForeignVisitor,
  requireProven,
  requireRight,
  type SeenViewer,
} from './viewer.ts';

/** Larger than any of its forms; pictures come by another way. */
export const consoleBodyBytesMax = 256 * 1024;

/** Adds the console's JSON API to the server. */
export function serveConsole(app: FastifyInstance, deps: ConsoleDeps): void {
  for (const route of consoleRoutes) addConsoleRoute(app, route, deps);
}

function addConsoleRoute(app: FastifyInstance, route: ConsoleRoute, deps: ConsoleDeps): void {
  const seen = new WeakMap<FastifyRequest, SeenViewer | null>();
  app.route({
    method: route.method,
    url: `${consolePrefix}${route.path}`,
    // Before the body is read.
    onRequest: async (request) => {
      seen.set(request, await admit(route, request, deps));
    },
    handler: async (request, reply) => {
      const viewer = seen.get(request) ?? null;
      const answer = await answerCall(route, { request, reply, viewer }, deps);
      // A route that streams or redirects has answered already.
      return reply.sent ? reply : answer;
    },
  });
}

async function admit(
  route: ConsoleRoute,
  request: FastifyRequest,
  deps: ConsoleDeps,
): Promise<SeenViewer | null> {
  const seen = await readViewer(request, deps);
  if (route.right === 'anyone') {
    refuseForeignVisitor(request, deps);
    return seen;
  }
  const allowed = requireRight(seen, route.right);
  if (route.isDelicate) requireProven(allowed, deps.clock.now());
  return allowed;
}

async function answerCall(
  route: ConsoleRoute,
  {
    request,
    reply,
    viewer: seen,
  }: { request: FastifyRequest; reply: FastifyReply; viewer: SeenViewer | null },
  deps: ConsoleDeps,
): Promise<unknown> {
  const call = {
    request,
    reply,
    params: parse(route.params, request.params),
    query: parse(route.query, givenOnly(request.query)),
    body: parse(route.body, route.body && (await readBody(request, deps))),
  };
  // A body may take minutes, in which whoever sends it is signed out, or loses the right.
  const present = route.body ? await admit(route, request, deps) : seen;
  const answer: unknown =
    route.right === 'anyone'
      ? await route.handle({ ...call, viewer: present?.viewer ?? null }, deps)
      : await route.handle({ ...call, viewer: await admitCall(route, call, present, deps) }, deps);
  if (reply.sent) return null;
  const presented = route.answer.safeParse(answer);
  assert(presented.success, `the answer of ${route.path} has the form that it promises`);
  return presented.data;
}

async function admitCall(
  route: Exclude<ConsoleRoute, { right: 'anyone' }>,
  call: { params: unknown; body: unknown },
  seen: SeenViewer | null,
  deps: ConsoleDeps,
): Promise<Viewer> {
  const known = must(seen, 'a viewer with a right');
  if (await route.delicateWhen?.(call, deps)) requireProven(known, deps.clock.now());
  return known.viewer;
}

/** A filter that was emptied may stay in the address. */
function givenOnly(query: unknown): unknown {
  return Object.fromEntries(Object.entries(query ?? {}).filter(([, value]) => value !== ''));
}

/** Names that a schema does not have are passed over: links of other versions go on working. */
function parse(schema: z.ZodType | undefined, value: unknown): unknown {
  if (!schema) return undefined;
  const parsed = schema.safeParse(value);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw invalidField(issue?.path ?? [], String(issue?.message));
  }
  const path = findNul(parsed.data);
  // PostgreSQL can hold it in no text; one that SQLite holds could never be moved there.
  if (path) throw invalidField(path, 'it has a NUL character');
  return parsed.data;
}

function invalidField(path: readonly PropertyKey[], why: string): ServiceError {
  const param = path.join('.');
  const message = `${param === '' ? 'The request' : param} is invalid: ${why}`;
  return invalidRequest(param === '' ? null : param, message);
}

/** Where a text has a NUL character; null when none has. */
function findNul(value: unknown): readonly string[] | null {
  if (typeof value === 'string') return value.includes('\0') ? [] : null;
  if (typeof value !== 'object' || value === null) return null;
  for (const [name, each] of Object.entries(value)) {
    const path = findNul(each);
    if (path) return [name, ...path];
  }
  return null;
}

async function readBody(request: FastifyRequest, { images }: ConsoleDeps): Promise<unknown> {
  refuseEncodedBody(request.raw);
  const contentType = contentTypeOf(request.raw);
  if (contentType.mediaType !== 'application/json') {
    throw invalidRequest(null, 'The body must be JSON: send Content-Type: application/json.');
  }
  return readJsonObject(request.raw, contentType, {
    bytesMax: consoleBodyBytesMax,
    restBytesMax: consoleBodyBytesMax,
    pace: images.uploads,
  });
}
