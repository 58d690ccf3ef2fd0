/** What the table says of each service: everything that differs between them. */
import type { ImageModelV4 } from '@ai-sdk/provider';
import type { BodyPiece } from '../../lib/bytes/body-pieces.ts';
import type { Clock } from '../../lib/clock.ts';
import type { GuardedHttp, OutgoingRequest } from '../../lib/outgoing/guarded-http.ts';
import { type ListedModel, UpstreamError, type UpstreamTokens } from '../upstream.ts';
import type { ErrorRules, FailedAnswer } from '../wire/faults.ts';
import type { ModelRow } from './models.ts';
import type { AiSdkSettings } from './settings.ts';

export interface Vendor {
  /** What people call it. */
  title: string;
  /** What is to be entered as the credential. */
  credentialForm: string;
  /** The service's own address, from which its origin is known before there is a credential. */
  home(settings: AiSdkSettings): string;
  /**
   * Other hosts of the vendor's, which take the credential too: constants, or told by the base URL
   * that the operator entered, if any.
   */
  moreOrigins?(settings: AiSdkSettings, baseUrl: string | null): readonly string[];
  /** Where the SDK's paths begin, if the credential says more about it than the settings. */
  baseUrl?(service: Pick<VendorService, 'settings' | 'credential'>): string;
  /** The key under which the SDK takes the vendor's own options. */
  optionsKey: string;
  /** Loads the package, once. Nothing of the AI SDK is in memory before the first picture. */
  load(): Promise<OpenModel>;
  /** What proves to the service who asks. The SDK itself never holds the credential. */
  authorize(
    request: AuthorizedRequest,
    service: VendorService,
  ): Promise<Readonly<Record<string, string>>> | Readonly<Record<string, string>>;
  /** Lets go of what was remembered to prove it by, for the service did not accept it. */
  forgetProof?(service: VendorService): void;
  /** The first row whose pattern fits speaks; no row, no use. */
  models: readonly ModelRow[];
  /** How long the SDK asks again for a picture that is being made, in its own words. */
  patience?: Readonly<Record<string, number>>;
  /**
   * Reads an answer of status 2xx before the SDK does, and throws what the SDK would miss, poll
   * for ever, or put into words only.
   */
  readAnswer?(said: unknown, headers: Readonly<Record<string, string>>): AnswerNews;
  /** An answer in the words that the SDK knows, where the service has more of them by now. */
  rephrase?(said: unknown): unknown;
  /**
   * The list in an answer to which a model adds pictures while it works, to show how far it has come:
   * the last one is the result once the job is done. The SDK would take the first, and at once.
   */
  growingMember?: string;
  /** Puts the code of an error answer where `readErrorSaid` finds it. */
  readError?(answer: FailedAnswer): FailedAnswer;
  rules?: ErrorRules;
  /** What a refusal says that comes as status 400 without a code. */
  refusalWords?: RegExp;
  /** The request that stops a job which the service has accepted. */
  cancel?(jobId: string, service: VendorService): ServiceRequest;
  /** Costs nothing; fails when the credential is not accepted, if the service can be asked that. */
  listModels(service: VendorService): Promise<readonly ListedModel[]>;
}

/** The service with one credential, as far as a vendor's own code needs it. */
export interface VendorService {
  readonly settings: AiSdkSettings;
  readonly credential: string;
  readonly http: GuardedHttp;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Where the SDK's paths begin; without a slash at the end. */
  readonly baseUrl: string;
  /** Whether an address is one of the service's own. */
  isOwn(url: URL): boolean;
  /** A list or a check: a small JSON answer to GET, or to POST when there is something to say. */
  askJson(path: string, body?: Readonly<Record<string, unknown>>): Promise<unknown>;
}

export type ServiceRequest = Pick<OutgoingRequest, 'method' | 'url' | 'headers'> & {
  body?: readonly BodyPiece[];
};

export type OpenModel = (wiring: {
  model: string;
  baseURL: string;
  fetch: typeof globalThis.fetch;
}) => ImageModelV4;

export interface AuthorizedRequest {
  method: OutgoingRequest['method'];
  url: URL;
  body: readonly BodyPiece[];
}

/** What the wrapper wants to know of an answer and the SDK does not tell. */
export interface AnswerNews {
  /** The service's own name for the job. */
  jobId?: string | undefined;
  /** The picture is being made: the SDK will ask again. */
  isPending?: boolean;
  tokens?: UpstreamTokens;
}

/** Stands where the SDK wants a key; what leaves carries what `authorize` says. */
export const placeholderKey = 'kept-from-the-sdk';

/** How long the SDK goes on asking after a job; the request's own time is usually over before. */
export const pollingLimits = { intervalMs: 500, pollsMax: 2_400 } as const;

export function notAList(): UpstreamError {
  return new UpstreamError('protocol', 'the model list is not one');
}
