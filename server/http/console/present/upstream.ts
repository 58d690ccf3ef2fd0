import type { z } from 'zod';
import type {
  AdminUpstream,
  adminUpstreamDetailSchema,
  probePlanSchema,
  servingChangeSchema,
  UpstreamKind,
  upstreamActivitySchema,
  upstreamTestAnswerSchema,
} from '../../../../shared/console/admin-upstreams.ts';
import { presentUpstreamLimits, type UpstreamKey } from '../../../catalog/upstream.ts';
import type { UpstreamCheck } from '../../../catalog/upstream-check-store.ts';
import type { ServingChange } from '../../../flows/models/serving-change.ts';
import type { UpstreamDetail, UpstreamOverview } from '../../../flows/reading/read-upstreams.ts';
import type { KindDescription } from '../../../flows/upstreams/describe-kinds.ts';
import { type ProbePlan, probeMsMax } from '../../../flows/upstreams/probe-upstream.ts';
import { presentKeyTest, type UpstreamTest } from '../../../flows/upstreams/test-upstream.ts';
import { isoTime } from '../../../lib/time-text.ts';
import type { FailedAttempt } from '../../../usage/failed-attempts.ts';
import { presentAttempt } from './attempt.ts';

export function presentKind(kind: KindDescription): UpstreamKind {
  return {
    kind: kind.kind,
    title: kind.title,
    description: kind.description,
    base_url: kind.baseUrl,
    credential: kind.credential,
    credential_form: kind.credentialForm,
    settings: { ...kind.settings },
    presets: kind.presets.map(({ title, baseUrl, settings, upstreamModels }) => ({
      title,
      base_url: baseUrl,
      settings: { ...settings },
      upstream_models: [...upstreamModels],
    })),
  };
}

export function presentUpstream(overview: UpstreamOverview): AdminUpstream {
  const { upstream, keys, selections, health, check, lane, stats } = overview;
  return {
    id: upstream.id,
    name: upstream.name,
    kind: upstream.kind,
    base_url: upstream.baseUrl,
    enabled: upstream.enabled,
    disabled_reason: upstream.disabledReason,
    priority: upstream.priority,
    weight: upstream.weight,
    health,
    check: check && presentCheck(check),
    in_flight: lane?.running ?? 0,
    waiting: lane?.waiting ?? 0,
    concurrency_max: upstream.limits.concurrencyMax,
    breaker: lane?.breaker ?? 'closed',
    attempts_24h: stats?.attempts ?? 0,
    failed_24h: stats?.failed ?? 0,
    median_ms_24h: stats?.medianMs ?? null,
    keys: { all: keys.length, enabled: keys.filter(({ enabled }) => enabled).length },
    selections: selections.length,
    models: [...new Set(selections.map(({ modelId }) => modelId))],
    created_at: isoTime(upstream.createdAt),
  };
}

export function presentUpstreamDetail(
  detail: UpstreamDetail,
): z.input<typeof adminUpstreamDetailSchema> {
  const { upstream, keys, models, selections, priced } = detail;
  return {
    ...presentUpstream(detail),
    settings: { ...upstream.settings },
    limits: presentUpstreamLimits(upstream.limits),
    has_proxy: upstream.sealedProxy !== null,
    key_list: keys.map(presentKey),
    model_list: models.map((listed) => ({
      upstream_model: listed.upstreamModel,
      description: listed.description,
      listed_at: isoTime(listed.listedAt),
      gone_at: listed.goneAt === null ? null : isoTime(listed.goneAt),
      serves: selections
        .filter(({ upstreamModel }) => upstreamModel === listed.upstreamModel)
        .map(({ modelId, options }) => ({
          model: modelId,
          is_priced: priced.has(modelId),
          strict_mask: options.strictMask,
          extra: { ...options.extra },
        })),
    })),
  };
}

export function presentServingChange({
  gained,
  lost,
}: ServingChange<unknown>): z.input<typeof servingChangeSchema> {
  return { models_gained: [...gained], models_lost: [...lost] };
}

export function presentTest({
  keys,
  change,
}: UpstreamTest): z.input<typeof upstreamTestAnswerSchema> {
  return {
    models: change?.listed ?? null,
    added: [...(change?.added ?? [])],
    gone: [...(change?.gone ?? [])],
    keys: keys.map(presentKeyTest),
  };
}

export function presentPlan(
  { operations, quality, size }: ProbePlan,
  { upstream, upstreamModel }: { upstream: string; upstreamModel: string },
): z.input<typeof probePlanSchema> {
  const count = operations.length === 1 ? '1 picture' : `${operations.length} pictures`;
  return {
    upstream,
    upstream_model: upstreamModel,
    operations: [...operations],
    quality,
    size: `${size.width}x${size.height}`,
    limit_ms: probeMsMax,
    cost: `${upstream} makes ${count} with ${upstreamModel} and may charge you for it; no wallet is touched.`,
  };
}

export function presentFailure({
  traceId,
  model,
  requestStatus,
  attempt,
}: FailedAttempt): z.input<typeof upstreamActivitySchema>['failures'][number] {
  return {
    ...presentAttempt(attempt),
    trace_id: traceId,
    model,
    request_status: requestStatus,
  };
}

function presentCheck(check: UpstreamCheck): NonNullable<AdminUpstream['check']> {
  return {
    checked_at: isoTime(check.checkedAt),
    took_ms: check.tookMs,
    fault: check.fault,
    status: check.status,
    models_listed: check.modelsListed,
    failures: check.failures,
    failing_since: check.failingSince === null ? null : isoTime(check.failingSince),
  };
}

function presentKey({ name, enabled, disabledReason, lastFour, createdAt }: UpstreamKey) {
  return {
    name,
    enabled,
    disabled_reason: disabledReason,
    last_four: lastFour,
    created_at: isoTime(createdAt),
  };
}
