/** Models of their own for tests of routing, each with upstreams that serve nothing else. */
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { z } from 'zod';
import { addModel } from '../../../server/flows/models/add-model.ts';
import { setEnabledOfModel } from '../../../server/flows/models/enable-model.ts';
import { mapUpstreamModel } from '../../../server/flows/models/map-upstream-model.ts';
import { setPrice } from '../../../server/flows/models/set-price.ts';
import type { AttemptRecord } from '../../../server/flows/requests/attempts/attempt.ts';
import { addUpstream, type NewUpstream } from '../../../server/flows/upstreams/add-upstream.ts';
import { syncUpstreamModels } from '../../../server/flows/upstreams/sync-upstream-models.ts';
import { must } from '../../../server/lib/assert.ts';
import { findUsage } from '../../../server/usage/usage-list.ts';
import type { TestApp } from '../app.ts';
import type { Answer } from '../callers/api.ts';
import { amount, testAccess } from '../console/test-admin.ts';
import { makeScratchFolder } from '../scratch.ts';

/** What a test says of an upstream; the rest is a sandbox that keeps a journal. */
export interface Server extends Partial<Omit<NewUpstream, 'name'>> {
  upstreamModel?: string;
  strictMask?: boolean;
}

export interface ServedModel {
  id: string;
  /** The name of an upstream, which is the test's with the model's number. */
  nameOf: (upstream: string) => string;
  /** How often a sandbox upstream was asked for a picture. */
  calls: (upstream: string) => number;
  /** How many pictures a sandbox upstream made at the same moment, at most. */
  atOnce: (upstream: string) => number;
}

const price = '0.10';

let models = 0;

/**
 * Adds, for one test, a model that costs 0.10, served by these upstreams, the first first unless
 * they say otherwise.
 */
export async function serveModel(
  { admin }: Pick<TestApp, 'admin'>,
  servers: Readonly<Record<string, Server>>,
): Promise<ServedModel> {
  const number = ++models;
  const id = `routed-${number}`;
  const folder = makeScratchFolder('journals');
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const journalOf = (name: string) => join(folder, `${name}.sandbox-journal`);
  await addModel(admin, { id, description: 'for a test of routing', extendedQualities: false });
  await setPrice(admin, { modelId: id, price: amount(price) });
  await setEnabledOfModel(admin, { modelId: id, enabled: true });
  for (const [priority, [name, server]] of Object.entries(servers).entries()) {
    const { upstreamModel = 'sandbox-quick', strictMask = false, settings, ...rest } = server;
    const upstream = `${name}-${number}`;
    const isSandbox = rest.kind === undefined;
    await addUpstream(admin, testAccess(), {
      kind: 'sandbox',
      baseUrl: null,
      credential: null,
      priority,
      weight: 1,
      ...rest,
      name: upstream,
      settings: { ...(isSandbox && { journal: journalOf(name) }), ...settings },
    });
    await syncUpstreamModels(admin, testAccess(), upstream);
    await mapUpstreamModel(admin, { modelId: id, upstream, upstreamModel }, { strictMask });
  }
  return {
    id,
    nameOf: (name) => `${name}-${number}`,
    calls: (name) => readJournal(journalOf(name)).filter((event) => event === 'asked').length,
    atOnce: (name) => mostAtOnce(readJournal(journalOf(name))),
  };
}

const lineSchema = z.object({ event: z.enum(['asked', 'accepted', 'final']) });

function readJournal(file: string): string[] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  return lines.map((line) => lineSchema.parse(JSON.parse(line)).event);
}

function mostAtOnce(events: readonly string[]): number {
  let running = 0;
  let most = 0;
  for (const event of events) {
    if (event === 'asked') most = Math.max(most, ++running);
    if (event === 'final') running--;
  }
  return most;
}

/** The attempts that an answered request took, with the names of upstreams as the test gave them. */
export async function attemptsOf(
  { database }: Pick<TestApp, 'database'>,
  { headers }: Pick<Answer, 'headers'>,
): Promise<AttemptRecord[]> {
  const traceId = must(headers.get('x-request-id'), 'a trace ID');
  const record = must(await findUsage(database, traceId), 'a usage record');
  // Written only by the runs of image requests.
  const attempts = (record.attempts ?? []) as readonly AttemptRecord[];
  return attempts.map((each) => ({ ...each, upstream: each.upstream.replace(/-\d+$/, '') }));
}

/** `first: unavailable`, `second: picture`, `third: skipped queue_full`. */
export async function wayOf(
  app: Pick<TestApp, 'database'>,
  answer: Pick<Answer, 'headers'>,
): Promise<string[]> {
  const attempts = await attemptsOf(app, answer);
  return attempts.map(({ upstream, skipped, fault }) =>
    skipped === null ? `${upstream}: ${fault ?? 'picture'}` : `${upstream}: skipped ${skipped}`,
  );
}
