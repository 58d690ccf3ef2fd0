/**
 * Services that are reached through the packages of the Vercel AI SDK (its seventh line): one
 * wrapper, and a table of what differs between them. `README.md` says what the wrapper shields.
 */
import type { GuardedHttp } from '../../lib/outgoing/guarded-http.ts';
import { defineKind, type OpenUpstreamHttp, type UpstreamConfig } from '../adapter-kind.ts';
import {
  type Adapter,
  type ImageJob,
  type ListedModel,
  type UpstreamContext,
  UpstreamError,
  type UpstreamEvent,
} from '../upstream.ts';
import { endInFault, endInFaults } from '../wire/endings.ts';
import { attemptPicture } from './attempt.ts';
import { capabilitiesOf, rowFor } from './models.ts';
import { presets } from './presets.ts';
import { Service } from './service.ts';
import { type AiSdkSettings, settingsSchema } from './settings.ts';
import type { Vendor } from './vendor.ts';
import { vendors } from './vendor-table.ts';

export const aiSdkKind = defineKind({
  kind: 'ai-sdk',
  title: 'Gemini, Vertex AI, Bedrock, fal, FLUX, Replicate and others',
  description: 'Services with an API of their own, through the packages of the Vercel AI SDK.',
  baseUrl: 'optional',
  credential: 'needed',
  credentialForm: [
    'API key',
    ...Object.values(vendors).flatMap(({ title, credentialForm }) =>
      credentialForm === 'API key' ? [] : [`${title}: ${credentialForm}`],
    ),
  ].join('; '),
  settings: settingsSchema,
  presets,
  create,
});

/** One configured upstream. */
interface OpenUpstream {
  vendor: Vendor;
  settings: AiSdkSettings;
  baseUrl: string | null;
  origins: readonly string[];
  http: GuardedHttp;
}

function create(
  { baseUrl, settings }: UpstreamConfig<AiSdkSettings>,
  openHttp: OpenUpstreamHttp,
): Adapter {
  const vendor = vendors[settings.provider];
  const origins = originsOf(vendor, settings, baseUrl);
  const upstream = { vendor, settings, baseUrl, origins, http: openHttp({ origins }) };
  return {
    capabilities: (upstreamModel) => capabilitiesOf(rowFor(vendor.models, upstreamModel)),
    run: (job, context) => endInFaults(run(job, context, upstream), context.signal),
    listModels: (context) => endInFault(() => listModels(context, upstream), context.signal),
    close: () => upstream.http.close(),
  };
}

/** The first says whether the service speaks https. */
function originsOf(vendor: Vendor, settings: AiSdkSettings, baseUrl: string | null): string[] {
  const more = vendor.moreOrigins?.(settings, baseUrl) ?? [];
  const urls = [baseUrl ?? vendor.home(settings), ...more];
  return [...new Set(urls.map((url) => new URL(url).origin))];
}

async function* run(
  job: ImageJob,
  context: UpstreamContext,
  upstream: OpenUpstream,
): AsyncGenerator<UpstreamEvent, void, void> {
  const stop = new AbortController();
  const signal = AbortSignal.any([context.signal, stop.signal]);
  try {
    yield* attemptPicture(job, openService(upstream, context, signal));
  } finally {
    // Ends what the SDK may still be waiting for.
    stop.abort();
  }
}

async function listModels(
  context: UpstreamContext,
  upstream: OpenUpstream,
): Promise<readonly ListedModel[]> {
  const service = openService(upstream, context, context.signal);
  return withMore(await upstream.vendor.listModels(service), upstream.settings.moreModels);
}

function withMore(listed: readonly ListedModel[], names: readonly string[]): ListedModel[] {
  const known = new Set(listed.map(({ upstreamModel }) => upstreamModel));
  const more = [...new Set(names)].filter((name) => !known.has(name));
  return [...listed, ...more.map((upstreamModel) => ({ upstreamModel, description: null }))];
}

function openService(
  upstream: OpenUpstream,
  { credential, clock }: UpstreamContext,
  signal: AbortSignal,
): Service {
  if (credential === null) throw new UpstreamError('auth', 'the upstream has no credential');
  return new Service({ ...upstream, credential, clock, signal });
}
