import { z } from 'zod';
import type { Route } from '../../../server/catalog/catalog.ts';
import {
  selectionOptionsDefault,
  upstreamLimitsDefault,
} from '../../../server/catalog/upstream.ts';
import { must } from '../../../server/lib/assert.ts';
import type { EncodedImage } from '../../../server/lib/pictures/encoded-image.ts';
import { defineKind } from '../../../server/upstreams/adapter-kind.ts';
import { AdapterPool } from '../../../server/upstreams/adapter-pool.ts';
import {
  type Adapter,
  type Capabilities,
  type Fault,
  type ImageJob,
  type UpstreamContext,
  UpstreamError,
  type UpstreamErrorOptions,
  type UpstreamEvent,
} from '../../../server/upstreams/upstream.ts';
import { pngOfLength } from '../pictures.ts';

/** One attempt under way, which goes on only as the test says. */
export class UpstreamCall {
  readonly job: ImageJob;
  readonly signal: AbortSignal;
  readonly #steps: (() => UpstreamEvent)[] = [];
  #wake: () => void = () => {};

  constructor(job: ImageJob, { signal }: UpstreamContext) {
    this.job = job;
    this.signal = signal;
    signal.addEventListener('abort', () => this.#wake(), { once: true });
  }

  partial(index = 0): void {
    this.#step(() => ({ kind: 'partial', index, image: picture(200) }));
  }

  finish(bytes = 1_000, encoding: EncodedImage['encoding'] = 'raw'): void {
    this.finishWith(() => picture(bytes, encoding));
  }

  /** With a picture that can be decoded, where one is needed. */
  finishWith(image: () => EncodedImage): void {
    this.#step(() => ({
      kind: 'final',
      image: image(),
      revisedPrompt: null,
      actual: { quality: null, background: null },
      tokens: null,
      upstreamRequestId: null,
      warnings: [],
    }));
  }

  fail(fault: Fault, options: UpstreamErrorOptions = {}): void {
    this.#step(() => {
      throw new UpstreamError(fault, 'as the test says', options);
    });
  }

  async *events(): AsyncGenerator<UpstreamEvent, void, void> {
    for (;;) {
      this.signal.throwIfAborted();
      const step = this.#steps.shift();
      if (!step) {
        await new Promise<void>((wake) => {
          this.#wake = wake;
        });
        continue;
      }
      const event = step();
      yield event;
      if (event.kind === 'final') return;
    }
  }

  #step(step: () => UpstreamEvent): void {
    this.#steps.push(step);
    this.#wake();
  }
}

/** An upstream whose every attempt waits for the test. */
export class ScriptedUpstream {
  readonly calls: UpstreamCall[] = [];
  readonly #capabilities: Partial<Capabilities>;
  #watchers: (() => void)[] = [];
  readonly adapters: AdapterPool;
  readonly route: Route = {
    upstream: {
      id: 'up_scripted',
      name: 'scripted',
      kind: 'scripted',
      baseUrl: null,
      settings: {},
      limits: upstreamLimitsDefault,
      proxy: null,
      keys: [],
      priority: 0,
      weight: 1,
      revision: '1',
    },
    upstreamModel: 'scripted-model',
    options: selectionOptionsDefault,
  };

  constructor(capabilities: Partial<Capabilities> = {}) {
    this.#capabilities = capabilities;
    const kind = defineKind({
      kind: 'scripted',
      title: 'Scripted',
      description: 'Does what the test says',
      baseUrl: 'unused',
      credential: 'unused',
      credentialForm: '',
      settings: z.strictObject({}),
      presets: [],
      create: () => this.#adapter(),
    });
    this.adapters = new AdapterPool(new Map([['scripted', kind]]), {
      onBroken: () => {},
      onCloseError: () => {},
    });
  }

  /** The attempt of this number, from 0, in the order in which they began. */
  call(number = 0): UpstreamCall {
    return must(this.calls[number], `attempt ${number}`);
  }

  /** Resolves as soon as so many attempts have begun. */
  async untilCalls(count: number): Promise<void> {
    while (this.calls.length < count) {
      await new Promise<void>((tell) => this.#watchers.push(tell));
    }
  }

  #adapter(): Adapter {
    return {
      capabilities: () => ({
        generation: true,
        edit: true,
        referenceImagesMax: 16,
        mask: true,
        partialImages: true,
        sizes: 'exact',
        formats: ['png'],
        qualities: ['auto', 'low', 'medium', 'high'],
        transparentBackground: true,
        ...this.#capabilities,
      }),
      run: (job, context) => {
        const call = new UpstreamCall(job, context);
        this.calls.push(call);
        for (const tell of this.#watchers.splice(0)) tell();
        return call.events();
      },
      listModels: async () => [],
      close: async () => {},
    };
  }
}

/** @param bytes as it is once it is decoded */
function picture(bytes: number, encoding: EncodedImage['encoding'] = 'raw'): EncodedImage {
  const png = pngOfLength(bytes);
  if (encoding === 'raw') return { encoding, bytes: png };
  return { encoding, ascii: Buffer.from(png.toString('base64'), 'latin1') };
}
