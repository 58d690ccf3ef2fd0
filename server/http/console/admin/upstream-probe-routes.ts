/** The paid probe: first what it is going to do and may cost, then its pictures as they are made. */
import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import {
  type ProbeEvent,
  probePlanQuerySchema,
  probePlanSchema,
  probeSchema,
  upstreamParamsSchema,
} from '../../../../shared/console/admin-upstreams.ts';
import type { Db } from '../../../db/db.ts';
import { refuseUnlisted } from '../../../flows/models/select-upstream-model.ts';
import {
  type AskedUpstream,
  tellingUpstreamErrors,
} from '../../../flows/upstreams/ask-upstream.ts';
import { findAskedUpstream } from '../../../flows/upstreams/asked-key.ts';
import {
  noteProbe,
  type ProbeInput,
  type ProbePlan,
  type ProbeResult,
  planProbe,
  probeUpstream,
} from '../../../flows/upstreams/probe-upstream.ts';
import { decodedLength, encodeBase64 } from '../../../lib/pictures/base64.ts';
import { isoTime } from '../../../lib/time-text.ts';
import { closingSignal } from '../../connections/closing-signal.ts';
import { headersOf, takeOver } from '../../connections/take-over.ts';
import { errorBody, toServiceError } from '../../errors.ts';
import { EventStream } from '../../event-stream.ts';
import { noteFailure } from '../../failures.ts';
import { adminOf } from '../actor.ts';
import type { ConsoleDeps } from '../console-deps.ts';
import { type ConsoleRoute, signedInRoute } from '../console-route.ts';
import { presentPlan } from '../present/upstream.ts';

const right = 'admin.upstreams';

export const adminUpstreamProbeRoutes: readonly ConsoleRoute[] = [
  signedInRoute({
    method: 'GET',
    path: '/admin/upstreams/:upstream/probe',
    summary: 'What a paid probe would do, to be agreed to; makes no call',
    right,
    params: upstreamParamsSchema,
    query: probePlanQuerySchema,
    answer: probePlanSchema,
    handle: async ({ params, query, reply }, { database, clock, upstreamAccess }) => {
      const { upstream_model: upstreamModel } = query;
      const asked = await findAskedUpstream(database, { ...params, key: null });
      await refuseUnlistedBy(database, asked, upstreamModel);
      const input = { ...asked, upstreamModel, clock, signal: closingSignal(reply) };
      const plan = await tellingUpstreamErrors(planProbe(upstreamAccess, input));
      return presentPlan(plan, { upstream: asked.upstream.name, upstreamModel });
    },
  }),
  signedInRoute({
    method: 'POST',
    path: '/admin/upstreams/:upstream/probe',
    summary: 'Make the planned pictures, as server-sent events; closing the connection cancels it',
    right,
    params: upstreamParamsSchema,
    body: probeSchema,
    answer: z.null(),
    handle: async ({ params, body, viewer, request, reply }, deps) => {
      const { database, clock, upstreamAccess } = deps;
      const { upstream_model: upstreamModel, key, reason } = body;
      const asked = await findAskedUpstream(database, { ...params, key });
      await refuseUnlistedBy(database, asked, upstreamModel);
      const input = { ...asked, upstreamModel, clock, signal: closingSignal(reply) };
      const plan = await tellingUpstreamErrors(planProbe(upstreamAccess, input));
      await noteProbe(adminOf(viewer, deps, reason), input, plan);
      const stream = openStream(reply, deps);
      const shown = presentPlan(plan, { upstream: asked.upstream.name, upstreamModel });
      send(stream, { type: 'plan', plan: shown });
      try {
        await sendPictures(stream, { ...input, plan }, deps);
        send(stream, { type: 'end' });
      } catch (thrown) {
        const error = toServiceError(thrown);
        noteFailure(request, error, deps.log);
        send(stream, { type: 'error', ...errorBody(error, request.id) });
      }
      stream.end();
      return null;
    },
  }),
];

function refuseUnlistedBy(db: Db, { upstream }: AskedUpstream, upstreamModel: string) {
  return refuseUnlisted(db, { upstreamId: upstream.id, upstreamModel }, upstream.name);
}

/** From here errors are events. */
function openStream(reply: FastifyReply, { clock, images }: ConsoleDeps): EventStream {
  return new EventStream({
    response: takeOver(reply),
    clock,
    headers: headersOf(reply),
    openAfterMs: 0,
    keepAliveMs: images.keepAliveMs,
  });
}

async function sendPictures(
  stream: EventStream,
  { plan, ...input }: ProbeInput & { plan: ProbePlan },
  { clock, upstreamAccess }: ConsoleDeps,
): Promise<void> {
  const [first, ...rest] = plan.operations;
  const started = (operation: string) =>
    send(stream, { type: 'started', operation, at: isoTime(clock.now()) });
  if (first) started(first);
  for await (const result of probeUpstream(upstreamAccess, input, plan)) {
    sendResult(stream, result);
    const next = rest.shift();
    if (next) started(next);
  }
}

function send(stream: EventStream, event: ProbeEvent): void {
  stream.write([Buffer.from(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)]);
}

type MadeEvent = Extract<ProbeEvent, { type: 'made' }>;

/** The picture is spliced in as bytes, and nothing keeps it. */
function sendResult(stream: EventStream, { operation, outcome }: ProbeResult): void {
  const { record } = outcome;
  const { duration_ms, upstream_request_id } = record;
  if (outcome.kind === 'failed') {
    const { fault, status, message } = outcome.error;
    const { possibly_charged } = record;
    const failure = { fault, status, message, possibly_charged, upstream_request_id };
    send(stream, { type: 'failed', operation, duration_ms, ...failure });
    return;
  }
  const { image, format, width, height } = outcome.picture;
  const told = {
    type: 'made',
    operation,
    duration_ms,
    bytes: image.encoding === 'raw' ? image.bytes.length : decodedLength(image.ascii),
    format,
    size: `${width}x${height}`,
    upstream_request_id,
    warnings: record.warnings,
    // The picture follows as bytes.
  } satisfies Omit<MadeEvent, 'picture' | 'warnings'> & { warnings: readonly string[] };
  const head = JSON.stringify(told).slice(0, -1);
  stream.write([
    Buffer.from(`event: made\ndata: ${head},"picture":"data:image/${format};base64,`),
    image.encoding === 'base64' ? image.ascii : encodeBase64(image.bytes),
    Buffer.from('"}\n\n'),
  ]);
}
