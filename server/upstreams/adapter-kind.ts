/**
 * How a protocol is offered to whoever configures an upstream: its name, its settings, and how an {@link Adapter} is
 * made of them.
 */
import type { z } from 'zod';
import { nearest } from '../lib/nearest.ts';
import type { GuardedHttp } from '../lib/outgoing/guarded-http.ts';
import { invalidRequest, type ServiceError } from '../lib/service-error.ts';
import type { Adapter } from './upstream.ts';

/** What an administrator configured for one upstream. Its keys are not here: see the context. */
export interface UpstreamConfig<S = Readonly<Record<string, unknown>>> {
  /** The upstream's name, for messages. */
  name: string;
  /** Without a slash at the end. */
  baseUrl: string | null;
  /** Of the shape that the kind's schema says. */
  settings: S;
}

/**
 * Opens the connections of one upstream, through its proxy and with its time limits. The origins
 * are the upstream's own: configured, or the vendor's constant, never taken from an answer. They
 * may be private and get the credential; what leads elsewhere must be public and gets none.
 */
export type OpenUpstreamHttp = (options: { origins: readonly string[] }) => GuardedHttp;

/** Whether a kind takes something of the operator. */
export type Need = 'needed' | 'optional' | 'unused';

/** A protocol Tintype can speak, as listed in `registry.ts`. */
export interface AdapterKind {
  kind: string;
  /** What people call it. */
  title: string;
  /** One sentence. */
  description: string;
  baseUrl: Need;
  credential: Need;
  /** What is to be entered as the credential: `API key`, `user:password`. */
  credentialForm: string;
  /** Its settings: each with a default, a `title` and a `description`, so that a form can be drawn. */
  settings: z.ZodObject;
  /** Ready-made configurations: offered when an upstream is added, and rows of the documentation. */
  presets: readonly UpstreamPreset[];
  /** Builds the adapter; throws a ServiceError `invalid_request_error` when the settings are wrong. */
  create(config: UpstreamConfig, openHttp: OpenUpstreamHttp): Adapter;
}

export interface UpstreamPreset {
  title: string;
  baseUrl: string | null;
  settings: Readonly<Record<string, unknown>>;
  /** Upstream models worth naming, the first as an example of what it can do. */
  upstreamModels: readonly [string, ...string[]];
}

/** An adapter kind whose `create` gets its settings parsed. */
export function defineKind<S extends z.ZodObject>(
  kind: Omit<AdapterKind, 'settings' | 'create'> & {
    settings: S;
    create(config: UpstreamConfig<z.infer<S>>, openHttp: OpenUpstreamHttp): Adapter;
  },
): AdapterKind {
  return {
    ...kind,
    create: (config, openHttp) =>
      kind.create({ ...config, settings: parseSettings(kind, config.settings) }, openHttp),
  };
}

function parseSettings<S extends z.ZodObject>(
  kind: { kind: string; title: string; settings: S },
  given: UpstreamConfig['settings'],
): z.infer<S> {
  const parsed = kind.settings.safeParse(given);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  if (issue?.code === 'unrecognized_keys') throw unknownSetting(kind, issue);
  const param = ['settings', ...(issue?.path ?? [])].join('.');
  throw invalidRequest(param, `${param} of ${kind.title} is invalid: ${issue?.message}`);
}

function unknownSetting(
  { kind, settings }: { kind: string; settings: z.ZodObject },
  { path, keys }: z.core.$ZodIssueUnrecognizedKeys,
): ServiceError {
  const name = [...path, keys[0]].join('.');
  const guess = path.length === 0 ? nearest(name, Object.keys(settings.shape)) : null;
  const meant = guess === null ? '.' : `; did you mean ${guess}?`;
  return invalidRequest(`settings.${name}`, `There is no setting ${name}${meant}`, {
    command: `tintype upstreams kinds ${kind}`,
  });
}
