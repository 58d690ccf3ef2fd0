/** Row types of the catalog: models, prices, upstreams; as `schema.ts` says. */
import type { Flag } from './flag.ts';

export interface ModelRow {
  id: string;
  description: string;
  /** Whether `xhigh` and `max` are accepted. */
  extended_qualities: Flag;
  /** Micros per picture; null until an administrator sets it. */
  price: number | null;
  enabled: Flag;
  position: number;
  created_at: number;
}

export interface PriceRow {
  model_id: string;
  /** 1, 2, 3 … within one model. */
  seq: number;
  amount: number;
  actor: string;
  created_at: number;
}

export interface UpstreamRow {
  id: string;
  name: string;
  kind: string;
  base_url: string | null;
  /** JSON object. */
  settings: string;
  enabled: Flag;
  /** Why the service itself disabled it; null when an administrator did, or when it is enabled. */
  disabled_reason: string | null;
  /** JSON object. */
  limits: string;
  /** URL of the proxy that leads to it; encrypted at rest as credentials are. */
  proxy: string | null;
  /** Lower goes first. */
  priority: number;
  weight: number;
  created_at: number;
  /** How often it was enabled, or configured otherwise: what was remembered of it does not hold any more. */
  begun_times: number;
}

/** One of an upstream's credentials. */
export interface UpstreamKeyRow {
  id: string;
  upstream_id: string;
  /** Unique within the upstream. */
  name: string;
  /** Encrypted at rest, for the upstream's row; see `lib/secret-box.ts`. */
  credential: string;
  enabled: Flag;
  /** Why the service itself disabled it; null when an administrator did, or when it is enabled. */
  disabled_reason: string | null;
  /** What its credential ends in, to tell it from others; null where that would say too much. */
  last_four: string | null;
  created_at: number;
  enabled_times: number;
}

/** How the last health check of an upstream went. */
export interface UpstreamCheckRow {
  upstream_id: string;
  /** When a process last began a check. */
  claimed_at: number;
  /** When one last ended; null before the first. */
  checked_at: number | null;
  took_ms: number;
  /** Null when it answered. */
  fault: string | null;
  /** Of its answer, when there was one and it was a failure. */
  status: number | null;
  models_listed: number | null;
  /** Failed checks in a row. */
  failures: number;
  /** The first of them. */
  failing_since: number | null;
}

export interface UpstreamModelRow {
  upstream_id: string;
  upstream_model: string;
  description: string | null;
  listed_at: number;
  /** When a fetched list stopped naming it; null while it is listed. */
  gone_at: number | null;
}

/** An upstream model that an administrator selected to serve a model of ours. */
export interface SelectionRow {
  model_id: string;
  upstream_id: string;
  upstream_model: string;
  /** JSON object. */
  options: string;
  created_at: number;
}
