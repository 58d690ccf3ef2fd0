/** One configured upstream of this kind: its dialect, corrected by its settings, and its address. */

import { LRUCache } from 'lru-cache';
import { must } from '../../lib/assert.ts';
import type { GuardedHttp } from '../../lib/outgoing/guarded-http.ts';
import { invalidRequest } from '../../lib/service-error.ts';
import type { UpstreamConfig } from '../adapter-kind.ts';
import type { Capabilities } from '../upstream.ts';
import { endpoint } from '../wire/endpoint.ts';
import { PictureTexts } from '../wire/picture-texts.ts';
import { capabilitiesOf } from './capabilities.ts';
import { type AuthStyle, type Dialect, type Traits, traitsOf } from './dialect.ts';
import { dialects } from './dialects.ts';
import { authOf, type Settings, tuned } from './settings.ts';

/** What is said of so many models is remembered: it is asked for several times in each request. */
const rememberedModelsMax = 100;

export interface Service {
  http: GuardedHttp;
  dialect: Dialect;
  settings: Settings;
  pictureTexts: PictureTexts;
  traits(upstreamModel: string): Traits;
  capabilities(upstreamModel: string): Capabilities;
  url(path: string, upstreamModel?: string): URL;
  /** The headers that carry the credential. */
  credentialHeaders(credential: string | null): Readonly<Record<string, string>>;
}

function dialectNamed(name: string): Dialect {
  return must(
    dialects.find((dialect) => dialect.name === name),
    `the dialect ${name}`,
  );
}

/** Where the service is: as configured, or where its vendor has it. */
export function baseUrlOf(config: UpstreamConfig<Settings>): string {
  const baseUrl = config.baseUrl ?? dialectNamed(config.settings.dialect).presets[0].baseUrl;
  if (URL.canParse(baseUrl)) return baseUrl;
  throw invalidRequest('base_url', 'base_url must be a URL such as https://api.openai.com/v1.');
}

export function serviceOf(config: UpstreamConfig<Settings>, http: GuardedHttp): Service {
  const { settings } = config;
  const dialect = dialectNamed(settings.dialect);
  const baseUrl = baseUrlOf(config);
  const apiVersion = settings.apiVersion ?? dialect.apiVersion;
  const auth = authOf(dialect, settings);
  const traits = remembered((upstreamModel) => {
    const { modelNames } = settings;
    const known = Object.hasOwn(modelNames, upstreamModel) ? modelNames[upstreamModel] : null;
    return tuned(traitsOf(dialect, known ?? upstreamModel), settings);
  });
  return {
    http,
    dialect,
    settings,
    pictureTexts: new PictureTexts(),
    traits,
    capabilities: remembered((upstreamModel) => capabilitiesOf(traits(upstreamModel))),
    url: (path, upstreamModel = '') => {
      const url = endpoint(baseUrl, path.replace('{model}', encodeURIComponent(upstreamModel)));
      if (apiVersion !== null) url.searchParams.set('api-version', apiVersion);
      return url;
    },
    credentialHeaders: (credential) => (credential === null ? {} : headersFor(auth, credential)),
  };
}

function remembered<T extends object>(
  ofModel: (upstreamModel: string) => T,
): (upstreamModel: string) => T {
  const known = new LRUCache<string, T>({ max: rememberedModelsMax, memoMethod: ofModel });
  return (upstreamModel) => known.memo(upstreamModel);
}

function headersFor(auth: AuthStyle, credential: string): Record<string, string> {
  switch (auth) {
    case 'bearer':
      return { authorization: `Bearer ${credential}` };
    case 'api-key':
    case 'x-api-key':
      return { [auth]: credential };
    case 'none':
      return {};
  }
}
