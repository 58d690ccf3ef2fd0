/** A vendor's service with one credential: it asks there, and nowhere else is the credential sent. */
import type { Clock } from '../../lib/clock.ts';
import type { GuardedHttp } from '../../lib/outgoing/guarded-http.ts';
import type { OutgoingAnswer } from '../../lib/outgoing/outgoing-answer.ts';
import type { UpstreamError } from '../upstream.ts';
import { readErrorBody, readJson, upstreamErrors } from '../wire/ask.ts';
import { readErrorSaid } from '../wire/error-said.ts';
import { errorOfAnswer, type FailedAnswer } from '../wire/faults.ts';
import { answerLimits } from '../wire/limits.ts';
import { restated } from '../wire/restated.ts';
import type { AiSdkSettings } from './settings.ts';
import type { ServiceRequest, Vendor, VendorService } from './vendor.ts';

export interface ServiceOptions {
  vendor: Vendor;
  settings: AiSdkSettings;
  http: GuardedHttp;
  /** What the operator entered instead of the vendor's own. */
  baseUrl: string | null;
  origins: readonly string[];
  credential: string;
  clock: Clock;
  signal: AbortSignal;
}

interface AskOptions {
  signal?: AbortSignal;
  followsRedirects?: boolean;
}

export class Service implements VendorService {
  readonly vendor: Vendor;
  readonly settings: AiSdkSettings;
  readonly http: GuardedHttp;
  readonly credential: string;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly baseUrl: string;
  readonly #origins: readonly string[];

  constructor(options: ServiceOptions) {
    const { vendor, settings, credential } = options;
    this.vendor = vendor;
    this.settings = settings;
    this.http = options.http;
    this.credential = credential;
    this.clock = options.clock;
    this.signal = options.signal;
    this.#origins = options.origins;
    this.baseUrl =
      options.baseUrl ?? vendor.baseUrl?.({ settings, credential }) ?? vendor.home(settings);
  }

  isOwn(url: URL): boolean {
    return this.#origins.includes(url.origin);
  }

  /** An answer with status 2xx, or a redirect for whoever follows it; everything else throws. */
  async ask(
    request: ServiceRequest,
    { signal = this.signal, followsRedirects = false }: AskOptions = {},
  ): Promise<OutgoingAnswer> {
    const { method, url, body = [] } = request;
    const proof = await this.vendor.authorize({ method, url, body }, this);
    const headers = { accept: '*/*', ...request.headers, ...proof };
    const wanted = { ...request, headers };
    const answer = await upstreamErrors(this.http.send(wanted, signal), { wasAnswered: false });
    const { status } = answer;
    if (status >= 200 && status < 300) return answer;
    if (followsRedirects && status >= 300 && status < 400) return answer;
    if (status === 401) this.vendor.forgetProof?.(this);
    throw this.errorOf({ ...answer, said: await readErrorBody(answer) });
  }

  async askJson(path: string, body?: Readonly<Record<string, unknown>>): Promise<unknown> {
    const url = new URL(path.startsWith('/') ? `${this.baseUrl}${path}` : path);
    const answer = await this.ask(
      body
        ? { method: 'POST', url, headers: jsonHeaders, body: [Buffer.from(JSON.stringify(body))] }
        : { method: 'GET', url },
    );
    return await readJson(answer, answerLimits.listBytesMax);
  }

  /** What an answer that says no means here. */
  errorOf(failed: FailedAnswer): UpstreamError {
    const { vendor } = this;
    const answer = vendor.readError?.(failed) ?? failed;
    const error = errorOfAnswer(answer, vendor.rules);
    // Words decide only where the service gives no code, and never about our account.
    const isRefusal =
      error.fault === 'bad_request' &&
      (vendor.refusalWords?.test(readErrorSaid(answer.said).message ?? '') ?? false);
    return isRefusal ? restated(error, { fault: 'refused' }) : error;
  }
}

const jsonHeaders = { 'content-type': 'application/json' };
