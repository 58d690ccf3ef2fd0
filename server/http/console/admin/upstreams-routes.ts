/** Upstreams: how they are reached, how they do, and what of their model lists serves our models. */
import type { z } from 'zod';
import { reasonBodySchema } from '../../../../shared/console/admin-models.ts';
import {
  adminUpstreamDetailSchema,
  adminUpstreamsSchema,
  enablingSchema,
  mappingSchema,
  modelListChangeSchema,
  newUpstreamSchema,
  servingChangeSchema,
  unmappingQuerySchema,
  upstreamActivityQuerySchema,
  upstreamActivitySchema,
  upstreamChangeSchema,
  upstreamImpactSchema,
  upstreamKindsSchema,
  upstreamParamsSchema,
  upstreamPatchSchema,
  upstreamTestAnswerSchema,
  upstreamTestSchema,
} from '../../../../shared/console/admin-upstreams.ts';
import type { UpstreamLimits } from '../../../catalog/upstream.ts';
import { requireUpstream } from '../../../catalog/upstream-store.ts';
import { type MappingPatch, mapUpstreamModel } from '../../../flows/models/map-upstream-model.ts';
import { modelsOnlyServedBy } from '../../../flows/models/models-only-served-by.ts';
import { unselectUpstreamModel } from '../../../flows/models/select-upstream-model.ts';
import type { ServingChange } from '../../../flows/models/serving-change.ts';
import { readUpstream, readUpstreams } from '../../../flows/reading/read-upstreams.ts';
import { addUpstream } from '../../../flows/upstreams/add-upstream.ts';
import { tellingUpstreamErrors } from '../../../flows/upstreams/ask-upstream.ts';
import { describeKinds } from '../../../flows/upstreams/describe-kinds.ts';
import { editUpstream, type UpstreamPatch } from '../../../flows/upstreams/edit-upstream.ts';
import { setEnabledOfUpstream } from '../../../flows/upstreams/enable-upstream.ts';
import { removeUpstream } from '../../../flows/upstreams/remove-upstream.ts';
import { syncUpstreamModels } from '../../../flows/upstreams/sync-upstream-models.ts';
import { testUpstream } from '../../../flows/upstreams/test-upstream.ts';
import { isoTime } from '../../../lib/time-text.ts';
import { listFailedAttempts } from '../../../usage/failed-attempts.ts';
import { closingSignal } from '../../connections/closing-signal.ts';
import { adminOf } from '../actor.ts';
import type { ConsoleDeps } from '../console-deps.ts';
import { type ConsoleRoute, signedInRoute } from '../console-route.ts';
import {
  presentFailure,
  presentKind,
  presentServingChange,
  presentTest,
  presentUpstream,
  presentUpstreamDetail,
} from '../present/upstream.ts';

const right = 'admin.upstreams';
const activityMs = 7 * 24 * 3_600_000;

export const adminUpstreamsRoutes: readonly ConsoleRoute[] = [
  signedInRoute({
    method: 'GET',
    path: '/admin/upstream-kinds',
    summary: 'The protocols that upstreams may speak, with their settings and presets',
    right,
    answer: upstreamKindsSchema,
    handle: async (_call, { upstreamAccess }) => ({
      kinds: describeKinds(upstreamAccess.kinds).map(presentKind),
    }),
  }),
  signedInRoute({
    method: 'GET',
    path: '/admin/upstreams',
    summary: 'All upstreams in the order in which they are tried, with their health',
    right,
    answer: adminUpstreamsSchema,
    handle: async (_call, { database, clock, lanes }) => {
      const sources = { lanes, nowMs: clock.now() };
      const upstreams = await database.snapshot((db) => readUpstreams(db, sources));
      return { upstreams: upstreams.map(presentUpstream) };
    },
  }),
  signedInRoute({
    method: 'GET',
    path: '/admin/upstreams/:upstream',
    summary: 'One upstream with its settings, keys and model list',
    right,
    params: upstreamParamsSchema,
    answer: adminUpstreamDetailSchema,
    handle: ({ params }, deps) => readDetail(params.upstream, deps),
  }),
  signedInRoute({
    method: 'POST',
    path: '/admin/upstreams',
    summary: 'Add an upstream, enabled; its model list is fetched separately',
    right,
    body: newUpstreamSchema,
    answer: adminUpstreamDetailSchema,
    handle: async ({ body, viewer }, deps) => {
      const { base_url: baseUrl, limits, reason, ...rest } = body;
      const wanted = { ...rest, baseUrl, limits: limitsOf(limits) };
      const admin = adminOf(viewer, deps, reason);
      const { id } = await addUpstream(admin, deps.upstreamAccess, wanted);
      return readDetail(id, deps);
    },
  }),
  signedInRoute({
    method: 'PATCH',
    path: '/admin/upstreams/:upstream',
    summary: 'Change an upstream; what is not named stays',
    right,
    params: upstreamParamsSchema,
    body: upstreamPatchSchema,
    answer: upstreamChangeSchema,
    handle: async ({ params, body, viewer }, deps) => {
      const { id: upstream } = await requireUpstream(deps.database, params.upstream);
      const admin = adminOf(viewer, deps, body.reason);
      const wanted = { upstream, patch: patchOf(body) };
      return answerChange(await editUpstream(admin, deps.upstreamAccess, wanted), upstream, deps);
    },
  }),
  signedInRoute({
    method: 'PUT',
    path: '/admin/upstreams/:upstream/enabled',
    summary: 'Enable or disable an upstream',
    right,
    params: upstreamParamsSchema,
    body: enablingSchema,
    answer: upstreamChangeSchema,
    handle: async ({ params, body, viewer }, deps) => {
      const { upstream } = params;
      const { enabled, reason } = body;
      const admin = adminOf(viewer, deps, reason);
      const wanted = { upstream, enabled };
      const change = await setEnabledOfUpstream(admin, deps.upstreamAccess, wanted);
      return answerChange(change, upstream, deps);
    },
  }),
  signedInRoute({
    method: 'GET',
    path: '/admin/upstreams/:upstream/impact',
    summary: 'Models that no other upstream serves',
    right,
    params: upstreamParamsSchema,
    answer: upstreamImpactSchema,
    handle: async ({ params }, { database }) => ({
      models_lost: [...(await database.snapshot((db) => modelsOnlyServedBy(db, params.upstream)))],
    }),
  }),
  signedInRoute({
    method: 'DELETE',
    path: '/admin/upstreams/:upstream',
    summary: 'Delete a disabled upstream with its keys and model list',
    right,
    params: upstreamParamsSchema,
    query: reasonBodySchema,
    answer: servingChangeSchema,
    handle: async ({ params, query, viewer }, deps) => {
      await removeUpstream(adminOf(viewer, deps, query.reason), params.upstream);
      return { models_gained: [], models_lost: [] };
    },
  }),
  signedInRoute({
    method: 'POST',
    path: '/admin/upstreams/:upstream/model-list',
    summary: "Fetch an upstream's model list and say what is new and what is gone",
    right,
    params: upstreamParamsSchema,
    body: reasonBodySchema,
    answer: modelListChangeSchema,
    handle: async ({ params, body, viewer }, deps) => {
      const { upstream } = params;
      const admin = adminOf(viewer, deps, body.reason);
      const change = await tellingUpstreamErrors(
        syncUpstreamModels(admin, deps.upstreamAccess, upstream),
      );
      const { listed, added, gone } = change.result;
      const answer = await answerChange(change, upstream, deps);
      return { ...answer, listed, added: [...added], gone: [...gone] };
    },
  }),
  signedInRoute({
    method: 'PUT',
    path: '/admin/upstreams/:upstream/mapping',
    summary: 'Select an entry of the model list for a model, and say how it serves it',
    right,
    params: upstreamParamsSchema,
    body: mappingSchema,
    answer: upstreamChangeSchema,
    handle: async ({ params, body, viewer }, deps) => {
      const { upstream } = params;
      const { model: modelId, upstream_model: upstreamModel, reason } = body;
      const change = await mapUpstreamModel(
        adminOf(viewer, deps, reason),
        { modelId, upstream, upstreamModel },
        mappingOf(body),
      );
      return answerChange(change, upstream, deps);
    },
  }),
  signedInRoute({
    method: 'DELETE',
    path: '/admin/upstreams/:upstream/mapping',
    summary: 'Remove a selection',
    right,
    params: upstreamParamsSchema,
    query: unmappingQuerySchema,
    answer: upstreamChangeSchema,
    handle: async ({ params, query, viewer }, deps) => {
      const { upstream } = params;
      const { model: modelId, upstream_model: upstreamModel, reason } = query;
      const wanted = { modelId, upstream, upstreamModel };
      const change = await unselectUpstreamModel(adminOf(viewer, deps, reason), wanted);
      return answerChange(change, upstream, deps);
    },
  }),
  signedInRoute({
    method: 'POST',
    path: '/admin/upstreams/:upstream/test',
    summary: 'Ask for the model list with each key, which costs nothing, and keep nothing of it',
    right,
    params: upstreamParamsSchema,
    body: upstreamTestSchema,
    answer: upstreamTestAnswerSchema,
    handle: async ({ params, body, reply }, { database, clock, upstreamAccess: access }) => {
      const means = { database, clock, access, signal: closingSignal(reply) };
      return presentTest(await testUpstream(means, { ...params, key: body.key }));
    },
  }),
  signedInRoute({
    method: 'GET',
    path: '/admin/upstreams/:upstream/activity',
    summary: 'Recent attempts that failed, with the trace IDs of their requests',
    right,
    params: upstreamParamsSchema,
    query: upstreamActivityQuerySchema,
    answer: upstreamActivitySchema,
    handle: async ({ params, query }, { database, clock }) => {
      const { name } = await requireUpstream(database, params.upstream);
      const fromMs = clock.now() - activityMs;
      const failures = await database.snapshot((db) =>
        listFailedAttempts(db, { ...query, upstream: name, fromMs }),
      );
      return { since: isoTime(fromMs), failures: failures.map(presentFailure) };
    },
  }),
];

async function readDetail(upstream: string, { database, clock, lanes }: ConsoleDeps) {
  const sources = { lanes, nowMs: clock.now() };
  return presentUpstreamDetail(
    await database.snapshot((db) => readUpstream(db, upstream, sources)),
  );
}

/** What a change meant, and the upstream as it is after it. */
export async function answerChange(
  change: ServingChange<unknown>,
  upstream: string,
  deps: ConsoleDeps,
) {
  return { ...presentServingChange(change), upstream: await readDetail(upstream, deps) };
}

type LimitsPatch = z.output<typeof newUpstreamSchema>['limits'];

function limitsOf(limits: LimitsPatch): Partial<UpstreamLimits> {
  const { concurrency_max, queue_max, queue_wait_ms, first_byte_ms, idle_ms } = limits;
  return {
    ...(concurrency_max !== undefined && { concurrencyMax: concurrency_max }),
    ...(queue_max !== undefined && { queueMax: queue_max }),
    ...(queue_wait_ms !== undefined && { queueWaitMs: queue_wait_ms }),
    ...(first_byte_ms !== undefined && { firstByteMs: first_byte_ms }),
    ...(idle_ms !== undefined && { idleMs: idle_ms }),
  };
}

function mappingOf(body: z.output<typeof mappingSchema>): MappingPatch {
  const { strict_mask: strictMask, extra, extra_changes: extraChanges, only_if_selected } = body;
  return {
    ...(strictMask !== undefined && { strictMask }),
    ...(extra !== undefined && { extra, clearExtra: true }),
    ...(extraChanges !== undefined && { extraChanges }),
    onlyIfSelected: only_if_selected,
  };
}

function patchOf(body: z.output<typeof upstreamPatchSchema>): UpstreamPatch {
  const { name, base_url: baseUrl, credential, settings, limits, proxy, priority, weight } = body;
  const { settings_changes: settingsChanges } = body;
  return {
    ...(name !== undefined && { name }),
    ...(baseUrl !== undefined && { baseUrl }),
    ...(credential !== undefined && { credential }),
    ...(settings !== undefined && { settings }),
    ...(settingsChanges !== undefined && { settingsChanges }),
    ...(limits !== undefined && { limits: limitsOf(limits) }),
    ...(proxy !== undefined && { proxy }),
    ...(priority !== undefined && { priority }),
    ...(weight !== undefined && { weight }),
  };
}
