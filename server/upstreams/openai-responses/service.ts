import type { GuardedHttp } from '../../lib/outgoing/guarded-http.ts';
import { invalidRequest } from '../../lib/service-error.ts';
import type { OpenUpstreamHttp, UpstreamConfig } from '../adapter-kind.ts';
import { endpoint, originOf } from '../wire/endpoint.ts';
import { PictureTexts } from '../wire/picture-texts.ts';
import type { ResponsesSettings } from './settings.ts';

/** One configured upstream: how it is reached, and how it wants to be spoken to. */
export interface Service {
  http: GuardedHttp;
  settings: ResponsesSettings;
  pictureTexts: PictureTexts;
  /** Every address that is asked is below the base URL. */
  url: (path: string) => URL;
}

export function openService(
  { baseUrl, settings }: UpstreamConfig<ResponsesSettings>,
  openHttp: OpenUpstreamHttp,
): Service {
  if (baseUrl === null || !URL.canParse(baseUrl)) {
    throw invalidRequest('base_url', 'OpenAI Responses needs a base URL.');
  }
  return {
    http: openHttp({ origins: [originOf(baseUrl)] }),
    settings,
    pictureTexts: new PictureTexts(),
    url: (path) => {
      const url = endpoint(baseUrl, path);
      if (settings.apiVersion !== null) url.searchParams.set('api-version', settings.apiVersion);
      return url;
    },
  };
}
