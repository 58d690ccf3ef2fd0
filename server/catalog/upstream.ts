import type { UpstreamModelRow, UpstreamRow } from '../db/schema.ts';
import { invalidRequest } from '../lib/service-error.ts';

/** A configured remote image service. */
export interface Upstream {
  id: string;
  /** Unique; how people and messages call it. */
  name: string;
  /** The adapter kind that speaks its protocol. */
  kind: string;
  baseUrl: string | null;
  /** Sealed; see `lib/secret-box.ts`. Null when it has none. */
  sealedCredential: string | null;
  settings: UpstreamSettings;
  enabled: boolean;
  /** Lower goes first. */
  priority: number;
  /** Share of the requests among upstreams of one priority. */
  weight: number;
  createdAt: number;
}

export type UpstreamSettings = Readonly<Record<string, unknown>>;

/** One entry of an upstream's own model list, as it was last fetched. */
export interface UpstreamModel {
  upstreamId: string;
  upstreamModel: string;
  description: string | null;
  listedAt: number;
  /** When a fetched list stopped naming it; null while it is listed. */
  goneAt: number | null;
}

/** An upstream model that an administrator allows to serve a model. */
export interface Selection {
  modelId: string;
  upstreamId: string;
  upstreamModel: string;
}

const baseUrlCharactersMax = 2_000;
export const priorityMax = 1_000;
export const weightMax = 1_000;

export function parseUpstreamName(text: string): string {
  // What looks like an identifier would hide the upstream that has it.
  if (/^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/.test(text) && !text.startsWith('up_')) return text;
  throw invalidRequest(
    'name',
    'An upstream name has up to 63 letters, digits, dots, dashes and underscores.',
  );
}

/** An http(s) address. A password in it would show up wherever the address does. */
export function parseBaseUrl(text: string): string {
  const url = text.length <= baseUrlCharactersMax ? URL.parse(text) : null;
  if (!url || !['http:', 'https:'].includes(url.protocol)) {
    throw invalidRequest('base_url', 'The base URL must begin with http:// or https://.');
  }
  if (url.username !== '' || url.password !== '' || url.hash !== '' || url.search !== '') {
    throw invalidRequest(
      'base_url',
      'The base URL must not contain a user, password, query or fragment.',
    );
  }
  return text.replace(/\/+$/, '');
}

export function checkRank({ priority, weight }: { priority: number; weight: number }): void {
  if (!Number.isInteger(priority) || priority < 0 || priority > priorityMax) {
    throw invalidRequest('priority', `A priority is a whole number from 0 to ${priorityMax}.`);
  }
  if (!Number.isInteger(weight) || weight < 1 || weight > weightMax) {
    throw invalidRequest('weight', `A weight is a whole number from 1 to ${weightMax}.`);
  }
}

export function upstreamFromRow(row: UpstreamRow): Upstream {
  return {
    id: row.id,
    name: row.name,
    kind: row.kind,
    baseUrl: row.base_url,
    sealedCredential: row.credential,
    // Written only by the store, as a JSON object.
    settings: JSON.parse(row.settings) as UpstreamSettings,
    enabled: row.enabled === 1,
    priority: row.priority,
    weight: row.weight,
    createdAt: row.created_at,
  };
}

export function upstreamModelFromRow(row: UpstreamModelRow): UpstreamModel {
  return {
    upstreamId: row.upstream_id,
    upstreamModel: row.upstream_model,
    description: row.description,
    listedAt: row.listed_at,
    goneAt: row.gone_at,
  };
}
