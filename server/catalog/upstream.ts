import type {
  SelectionRow,
  UpstreamKeyRow,
  UpstreamModelRow,
  UpstreamRow,
} from '../db/catalog-schema.ts';
import { invalidRequest } from '../lib/service-error.ts';

/** A configured remote image service. */
export interface Upstream {
  id: string;
  /** Unique; how people and messages call it. */
  name: string;
  /** The adapter kind that speaks its protocol. */
  kind: string;
  baseUrl: string | null;
  settings: UpstreamSettings;
  limits: UpstreamLimits;
  /** URL of the proxy that leads to it, sealed for this upstream; see `lib/secret-box.ts`. */
  sealedProxy: string | null;
  enabled: boolean;
  /** Why the service itself disabled it; null when an administrator did, or when it is enabled. */
  disabledReason: string | null;
  /** Lower goes first. */
  priority: number;
  /** Share of the requests among upstreams of one priority. */
  weight: number;
  createdAt: number;
  /** How often it was enabled, or configured otherwise: what was remembered of it does not hold any more. */
  begunTimes: number;
}

export type UpstreamSettings = Readonly<Record<string, unknown>>;

/** How much one process asks of an upstream, and how long it waits. */
export interface UpstreamLimits {
  /** Attempts at once; null for any number. */
  concurrencyMax: number | null;
  /** Attempts that wait for one of them to end. */
  queueMax: number;
  /** How long an attempt waits before the next upstream is tried. */
  queueWaitMs: number;
  /** From the last byte of a request to the first of its answer. */
  firstByteMs: number;
  /** Longest silence within an answer. */
  idleMs: number;
}

/** One of an upstream's credentials. */
export interface UpstreamKey {
  id: string;
  upstreamId: string;
  /** Unique within the upstream. */
  name: string;
  /** Sealed for the upstream's row, so that it opens with any of its keys' rows and no other's. */
  sealedCredential: string;
  enabled: boolean;
  /** As of an upstream. */
  disabledReason: string | null;
  /** What its credential ends in, to tell it from others; null where that would say too much. */
  lastFour: string | null;
  createdAt: number;
  /** How often it was enabled: see `Upstream`. */
  enabledTimes: number;
}

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
  options: SelectionOptions;
}

/** How an upstream model serves a model. */
export interface SelectionOptions {
  /** Whether the pixels outside a mask are taken from the reference image, whatever came back. */
  strictMask: boolean;
  /** Fields added to every call, in the upstream's own words. */
  extra: Readonly<Record<string, unknown>>;
}

export const upstreamLimitsDefault: UpstreamLimits = {
  concurrencyMax: null,
  queueMax: 100,
  queueWaitMs: 30_000,
  firstByteMs: 280_000,
  idleMs: 120_000,
};

export const selectionOptionsDefault: SelectionOptions = { strictMask: false, extra: {} };

const baseUrlCharactersMax = 2_000;
/** Of all settings as JSON: a ComfyUI workflow is some tens of thousands. */
export const settingsCharactersMax = 1_000_000;
export const priorityMax = 1_000;
export const weightMax = 1_000;

export function parseUpstreamName(text: string): string {
  // What looks like an identifier would hide the upstream that has it.
  if (/^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/.test(text) && !text.startsWith('up_')) return text;
  throw invalidRequest(
    'name',
    'An upstream name has up to 63 letters, digits, dots, dashes and underscores. It begins with a letter or digit, and not with up_.',
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

/** An http(s) address of a proxy, with a user and password where it wants them. */
export function parseProxy(text: string | null): string | null {
  if (text === null) return null;
  const url = text.length <= baseUrlCharactersMax ? URL.parse(text) : null;
  const isProxy = url && ['http:', 'https:'].includes(url.protocol) && url.pathname === '/';
  if (isProxy && url.search === '' && url.hash === '') return text.replace(/\/$/, '');
  throw invalidRequest(
    'proxy',
    'A proxy is http:// or https://, a host, and nothing behind it but a port.',
  );
}

/** What they may be is known to the kind alone; here only that the catalog can hold them. */
export function checkSettingsSize(settings: UpstreamSettings): void {
  if (JSON.stringify(settings).length <= settingsCharactersMax) return;
  throw invalidRequest(
    'settings',
    `The settings of an upstream have at most ${settingsCharactersMax} characters as JSON.`,
  );
}

/** Bounds of {@link UpstreamLimits}, both inclusive. */
export const upstreamLimitBounds = {
  concurrencyMax: { min: 1, max: 10_000 },
  queueMax: { min: 0, max: 10_000 },
  queueWaitMs: { min: 0, max: 600_000 },
  firstByteMs: { min: 100, max: 3_600_000 },
  idleMs: { min: 100, max: 3_600_000 },
} as const satisfies Record<keyof UpstreamLimits, { min: number; max: number }>;

export function parseUpstreamLimits(given: Partial<UpstreamLimits>): UpstreamLimits {
  const limits = { ...upstreamLimitsDefault, ...given };
  for (const [name, value] of Object.entries(limits)) {
    if (value === null && name === 'concurrencyMax') continue;
    // The names are those of the defaults, which are typed.
    const bounds = upstreamLimitBounds[name as keyof UpstreamLimits] as
      | { min: number; max: number }
      | undefined;
    const sent = asSent(name);
    if (!bounds) throw invalidRequest(`limits.${sent}`, `There is no limit ${sent}.`);
    const { min, max } = bounds;
    if (Number.isInteger(value) && Number(value) >= min && Number(value) <= max) continue;
    throw invalidRequest(`limits.${sent}`, `${sent} must be a whole number from ${min} to ${max}.`);
  }
  return limits;
}

/** For the audit, the command line and the API. */
export function presentUpstreamLimits(limits: UpstreamLimits) {
  return {
    concurrency_max: limits.concurrencyMax,
    queue_max: limits.queueMax,
    queue_wait_ms: limits.queueWaitMs,
    first_byte_ms: limits.firstByteMs,
    idle_ms: limits.idleMs,
  };
}

/** What a limit is called there: `queue_max`. */
function asSent(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

export function checkRank({ priority, weight }: { priority: number; weight: number }): void {
  if (!Number.isInteger(priority) || priority < 0 || priority > priorityMax) {
    throw invalidRequest('priority', `A priority must be a whole number from 0 to ${priorityMax}.`);
  }
  if (!Number.isInteger(weight) || weight < 1 || weight > weightMax) {
    throw invalidRequest('weight', `A weight must be a whole number from 1 to ${weightMax}.`);
  }
}

export function upstreamFromRow(row: UpstreamRow): Upstream {
  return {
    id: row.id,
    name: row.name,
    kind: row.kind,
    baseUrl: row.base_url,
    // These two are written only by the store, as JSON objects.
    settings: JSON.parse(row.settings) as UpstreamSettings,
    limits: { ...upstreamLimitsDefault, ...(JSON.parse(row.limits) as Partial<UpstreamLimits>) },
    sealedProxy: row.proxy,
    enabled: row.enabled === 1,
    disabledReason: row.disabled_reason,
    priority: row.priority,
    weight: row.weight,
    createdAt: row.created_at,
    begunTimes: row.begun_times,
  };
}

export function upstreamKeyFromRow(row: UpstreamKeyRow): UpstreamKey {
  return {
    id: row.id,
    upstreamId: row.upstream_id,
    name: row.name,
    sealedCredential: row.credential,
    enabled: row.enabled === 1,
    disabledReason: row.disabled_reason,
    lastFour: row.last_four,
    createdAt: row.created_at,
    enabledTimes: row.enabled_times,
  };
}

export function selectionFromRow(row: SelectionRow): Selection {
  // Written only by the store, as a JSON object.
  const options = JSON.parse(row.options) as Partial<SelectionOptions>;
  return {
    modelId: row.model_id,
    upstreamId: row.upstream_id,
    upstreamModel: row.upstream_model,
    options: { ...selectionOptionsDefault, ...options },
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
