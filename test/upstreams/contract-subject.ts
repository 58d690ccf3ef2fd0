import type { Server } from 'node:http';
import type { AdapterKind, UpstreamConfig } from '../../server/upstreams/adapter-kind.ts';
import type { Fault } from '../../server/upstreams/upstream.ts';
import type { ImageFormat } from '../../shared/image-options.ts';

/** An adapter, and how to fake the service that it speaks to. */
export interface ContractSubject {
  kind: AdapterKind;
  settings: UpstreamConfig['settings'];
  /** A made-up one; the suite looks for it wherever it must not be. */
  credential: string | null;
  upstreamModel: string;
  fake: FakeProtocol;
}

/** A request as the fake service received it. */
export interface SeenRequest {
  method: string;
  /** With the query. */
  path: string;
  headers: Readonly<Record<string, string>>;
  body: Buffer;
}

/** An answer before it is sent: whole, so that the suite can cut, delay, compress or redirect it. */
export interface FakeAnswer {
  status: number;
  headers: Readonly<Record<string, string>>;
  /** Pieces are written one by one. */
  body: readonly Buffer[];
}

/** The answers of a protocol. What it cannot express is null, and its scenarios are left out. */
export interface FakeProtocol {
  /** Between the origin and the paths of the protocol: `/v1`, or nothing. */
  basePath: string;
  /** Whether this is the exchange that carries the picture, or says why there is none. */
  isMain: (request: SeenRequest) => boolean;
  /** Answers the others: uploads, progress, cancellations. Gets the fake's own origin. */
  answerOther: (request: SeenRequest, origin: string) => FakeAnswer;
  /** The picture, as the service answers this request. */
  picture: (picture: Buffer, request: SeenRequest) => FakeAnswer;
  /** The picture after partial images; one piece for each event. */
  streamed: ((partials: readonly Buffer[], picture: Buffer) => FakeAnswer) | null;
  /** The picture by an address. */
  pictureAt: ((url: string) => FakeAnswer) | null;
  /** The content was declined. */
  refusal: FakeAnswer | null;
  unauthorized: FakeAnswer;
  outOfQuota: FakeAnswer | null;
  tooMany: (retryAfterSeconds: number) => FakeAnswer;
  unavailable: FakeAnswer;
  /** Status 200, and an error in the body. */
  errorInside: FakeAnswer | null;
  /** Status 200, and no picture in it. */
  empty: FakeAnswer;
  /** Status 200, and words where the picture should be. */
  text: FakeAnswer;
  /** A model list with these entries; null where the list is not the service's. */
  modelList: ((upstreamModels: readonly string[]) => FakeAnswer) | null;
  /** Whether this request tells the service to stop; null where closing the connection does. */
  isCancel: ((request: SeenRequest) => boolean) | null;
  /**
   * For what is not a request with an answer, such as WebSockets: called with the server of each
   * fake service before it listens. Scenarios run one after another.
   */
  attach?: (server: Server) => void;
  /** True where the adapter tells `accepted` before the main exchange is answered. */
  acceptsEarly?: boolean;
  /** True where the main exchange fetches a picture that is made: whatever it ends with may be charged. */
  fetchesMade?: boolean;
  /** What these answers mean, where the protocol says more than that it is no picture. */
  faults?: Partial<Record<'errorInside' | 'empty' | 'text', Fault>>;
  /**
   * Whether the mask is in what the fake saw, for protocols that send neither its bytes nor what
   * `paintMask` makes of them, raw or in base64.
   */
  carriesMask?: (seen: readonly SeenRequest[], mask: Buffer) => boolean;
  /** The formats of reference images the service reads, where not all: others come converted. */
  reads?: readonly ImageFormat[];
}
