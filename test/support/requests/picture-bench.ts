/** A picture on its way through scripted upstreams: what each attempt does, and what came of it. */
import { z } from 'zod';
import type { Route } from '../../../server/catalog/catalog.ts';
import {
  selectionOptionsDefault,
  type UpstreamLimits,
  upstreamLimitsDefault,
} from '../../../server/catalog/upstream.ts';
import type { AttemptRecord } from '../../../server/flows/requests/attempts/attempt.ts';
import {
  type MakeInput,
  makePicture,
  type PictureOutcome,
} from '../../../server/flows/requests/attempts/make-picture.ts';
import {
  type MakeOutcome,
  makePictures,
} from '../../../server/flows/requests/attempts/make-pictures.ts';
import { RequestWork } from '../../../server/flows/requests/attempts/request-work.ts';
import {
  formParams,
  type ImageRequest,
  type PictureParams,
} from '../../../server/images/image-request.ts';
import { defineKind } from '../../../server/upstreams/adapter-kind.ts';
import { AdapterPool } from '../../../server/upstreams/adapter-pool.ts';
import { LanePool } from '../../../server/upstreams/lane-pool.ts';
import {
  type Fault,
  UpstreamError,
  type UpstreamErrorOptions,
  type UpstreamEvent,
} from '../../../server/upstreams/upstream.ts';
import { plainGeneration } from '../callers/image-requests.ts';
import { ManualClock } from '../manual-clock.ts';
import { pngOfLength } from '../pictures.ts';

/** What an attempt does before it ends with a picture, or with a fault. */
interface WholeStep extends UpstreamErrorOptions {
  fault?: Fault;
  accepted?: true;
  /** Its places in the upstream's queue. */
  queuedBehind?: readonly number[];
  partials?: number;
  /** Happens while the attempt is under way. */
  meanwhile?: () => void;
  /** How long it takes by the clock. */
  takesMs?: number;
}

export type Step = 'picture' | Fault | WholeStep;

/** Each upstream by its name, with its attempts in order; the first is tried first. */
export class PictureBench {
  readonly clock = new ManualClock();
  /** Of the next picture. */
  stop = new AbortController();
  readonly attempts: AttemptRecord[] = [];
  readonly calls: string[] = [];
  readonly credentials: (string | null)[] = [];
  readonly partials: number[] = [];
  readonly dead: string[] = [];
  readonly laneNotes: string[] = [];
  readonly #lanes = new LanePool(this.clock, {
    onBreaker: (name, state) => this.laneNotes.push(`${name} ${state}`),
    onRest: (name, { keyName, fault }) => this.laneNotes.push(`${name} ${keyName} ${fault}`),
  });
  readonly #routes: readonly Route[];
  readonly #adapters: AdapterPool;
  readonly #asked: Pick<ImageRequest, 'partialImages' | 'n' | 'pictureParams'>;

  constructor(
    scripts: Readonly<Record<string, Step[]>>,
    options: {
      keys?: string[];
      limits?: Partial<UpstreamLimits>;
      partialImages?: number;
      n?: number;
      pictureParams?: PictureParams;
    } = {},
  ) {
    const {
      keys = [],
      limits = {},
      partialImages = 0,
      n = 1,
      pictureParams = formParams,
    } = options;
    this.#asked = { partialImages, n, pictureParams };
    this.#routes = Object.keys(scripts).map((name) => routeTo(name, keys, limits));
    this.#adapters = new AdapterPool(new Map([['scripted', this.#kind(scripts)]]), {
      onBroken: (_name, reason) => {
        throw new Error(reason);
      },
      onCloseError: () => {},
    });
  }

  make(): Promise<PictureOutcome> {
    const work = new RequestWork(this.clock);
    return makePicture(this.#input, 0, { attempts: this.attempts, work });
  }

  /** The same as the whole of a request. */
  makeAll(): Promise<MakeOutcome> {
    return makePictures(this.#input);
  }

  get #input(): MakeInput {
    return {
      traceId: 'tr_1',
      request: { ...plainGeneration, ...this.#asked },
      routes: this.#routes,
      adapters: this.#adapters,
      lanes: this.#lanes,
      clock: this.clock,
      signal: this.stop.signal,
      unwanted: new AbortController().signal,
      attemptsMax: 3,
      onPartial: async (index) => void this.partials.push(index),
      onDeadKey: ({ upstream }, { name }, fault) =>
        this.dead.push(`${upstream.name} ${name} ${fault}`),
    };
  }

  /** For who looks for a turn only. */
  get turnInput() {
    const { clock, stop } = this;
    return { routes: this.#routes, lanes: this.#lanes, clock, signal: stop.signal };
  }

  laneOf(name: string) {
    const route = this.#routes.find(({ upstream }) => upstream.name === name);
    if (!route) throw new Error(`there is no upstream ${name}`);
    return this.#lanes.of(route.upstream);
  }

  #kind(scripts: Readonly<Record<string, Step[]>>) {
    return defineKind({
      kind: 'scripted',
      title: 'Scripted',
      description: 'Does what the test says',
      baseUrl: 'unused',
      credential: 'optional',
      credentialForm: 'anything',
      settings: z.strictObject({}),
      presets: [],
      create: ({ name }) => ({
        capabilities: () => {
          throw new Error('the routes are chosen already');
        },
        run: (_job, { credential }) => {
          this.calls.push(name);
          this.credentials.push(credential);
          return play(scripts[name]?.shift(), this.clock);
        },
        listModels: async () => [],
        close: async () => {},
      }),
    });
  }
}

async function* play(
  step: Step | undefined,
  clock: ManualClock,
): AsyncGenerator<UpstreamEvent, void, void> {
  if (step === undefined) throw new Error('the test expects no such attempt');
  const { fault, accepted, queuedBehind = [], partials = 0, ...rest } = wholeStep(step);
  const { meanwhile, takesMs = 0, ...told } = rest;
  meanwhile?.();
  if (takesMs > 0) await clock.sleep(takesMs);
  if (accepted) yield { kind: 'accepted', upstreamRequestId: 'their-id' };
  for (const behind of queuedBehind) yield { kind: 'queued', behind };
  const image = { encoding: 'raw' as const, bytes: pngOfLength(200) };
  for (let index = 0; index < partials; index++) yield { kind: 'partial', index, image };
  if (fault) throw new UpstreamError(fault, 'as the test says', told);
  yield {
    kind: 'final',
    image,
    revisedPrompt: null,
    actual: { quality: null, background: null },
    tokens: null,
    upstreamRequestId: null,
    warnings: [],
  };
}

function wholeStep(step: Step): WholeStep {
  if (typeof step === 'object') return step;
  return step === 'picture' ? {} : { fault: step };
}

function routeTo(name: string, keys: string[], limits: Partial<UpstreamLimits>): Route {
  return {
    upstream: {
      id: `up_${name}`,
      name,
      kind: 'scripted',
      baseUrl: null,
      settings: {},
      limits: { ...upstreamLimitsDefault, ...limits },
      proxy: null,
      keys: keys.map((key) => ({
        id: `upk_${name}_${key}`,
        name: key,
        credential: `credential of ${key}`,
        sealedCredential: `sealed credential of ${key}`,
        enabledTimes: 0,
      })),
      priority: 0,
      weight: 1,
      revision: '1',
    },
    upstreamModel: 'scripted-model',
    options: selectionOptionsDefault,
  };
}
