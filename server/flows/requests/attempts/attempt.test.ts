/** What is recorded of a picture that is not as it was asked for, whatever its upstream says. */
import sharp from 'sharp';
import { expect, it } from 'vitest';
import type { ImageFormat } from '../../../../shared/image-options.ts';
import { LentMemory } from '../../../../test/support/lent-memory.ts';
import { ManualClock } from '../../../../test/support/manual-clock.ts';
import { PictureBench } from '../../../../test/support/requests/picture-bench.ts';
import { plainJob } from '../../../../test/support/upstreams/plain-job.ts';
import { abortOf } from '../../../lib/abort.ts';
import { memoryPool } from '../../../lib/bytes/memory-pool.ts';
import type { EncodedImage } from '../../../lib/pictures/encoded-image.ts';
import {
  type Adapter,
  type ImageJob,
  type InputImage,
  UpstreamError,
  type UpstreamEvent,
  type UpstreamWarning,
} from '../../../upstreams/upstream.ts';
import { attempt } from './attempt.ts';

const asked = { width: 96, height: 64 };

it.each<[string, Partial<ImageJob>, UpstreamWarning[]]>([
  ['of the asked size and format', { size: asked, format: 'png' }, []],
  ['of another width', { size: { ...asked, width: 97 } }, ['size_approximated']],
  ['of another height', { size: { ...asked, height: 65 } }, ['size_approximated']],
  ['of a size that was left to the upstream', { size: 'auto' }, []],
  ['of another format', { size: asked, format: 'webp' }, ['format_converted']],
])('of a picture %s it is noted', async (_what, fields, warnings) => {
  expect(await warningsOf(fields)).toEqual(warnings);
});

it('is noted once where the upstream says it too', async () => {
  const told: UpstreamWarning[] = ['quality_ignored', 'size_approximated'];
  expect(await warningsOf({ size: { width: 32, height: 32 } }, { told })).toEqual(told);
});

it.each([
  [true, 1, []],
  [true, 2, ['size_approximated', 'mask_resized']],
  [false, 2, ['size_approximated']],
])('of a mask (strict: %s) %i times the picture: %j', async (strictMask, scale, warnings) => {
  const size = { width: asked.width * scale, height: asked.height * scale };
  const reference = await picture(size);
  const edit = { operation: 'edit', referenceImages: [reference], mask: reference, size } as const;
  expect(await warningsOf(edit, { strictMask })).toEqual(warnings);
});

it.each<[ImageJob['background'], ImageFormat, 3 | 4, string]>([
  ['auto', 'png', 3, 'opaque'],
  ['transparent', 'png', 3, 'opaque'],
  ['transparent', 'png', 4, 'transparent'],
  ['auto', 'png', 4, 'auto'],
  ['auto', 'jpeg', 4, 'opaque'],
])(
  'tells of a background asked for as %s, where the upstream says nothing, what the %s of %i channels shows: %s',
  async (background, format, channels, expected) => {
    const bytes = await sharp({ create: { ...asked, channels, background: '#3a58' } })
      .png()
      .toBuffer();
    const outcome = await attemptOf({ background, format }, { image: raw(bytes) });
    expect(outcome).toMatchObject({ kind: 'made', picture: { background: expected } });
  },
);

it('turns a picture as its EXIF says where its format is changed, after which it has none', async () => {
  const bytes = await sharp({ create: { ...asked, channels: 3, background: 'red' } })
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer();
  const outcome = await attemptOf({ size: 'auto', format: 'png' }, { image: raw(bytes) });
  expect(outcome).toMatchObject({ picture: { width: asked.height, height: asked.width } });
});

it.each([
  [1, 'opaque'],
  [0.5, 'transparent'],
])(
  'tells of a strict mask whose reference image has an alpha of %d what is kept of it, not what the upstream says: %s',
  async (alpha, expected) => {
    const reference = await picture(asked, alpha);
    const edit = { operation: 'edit', referenceImages: [reference], mask: reference } as const;
    const opaque = await sharp({ create: { ...asked, channels: 3, background: 'red' } })
      .png()
      .toBuffer();
    const outcome = await attemptOf(edit, {
      image: raw(opaque),
      background: 'opaque',
      strictMask: true,
    });
    expect(outcome).toMatchObject({ kind: 'made', picture: { background: expected } });
  },
);

it.each<[string, Partial<ImageJob>, { harm?: Harm; strictMask?: boolean; left: number }]>([
  ['as it was asked for', {}, { left: 1 }],
  ['that is converted', { format: 'webp' }, { left: 0 }],
  ['that cannot be converted', { format: 'webp' }, { harm: 'changed', left: 0 }],
  ['that is not whole', {}, { harm: 'cut', left: 0 }],
  ['that a strict mask changes', {}, { strictMask: true, left: 0 }],
])(
  'gives all memory back but that of the picture it ends with: of one %s',
  async (_what, fields, { harm, strictMask = false, left }) => {
    const file = harmed(await noise({ width: 192, height: 128 }), harm).toString('base64');
    using lent = new LentMemory();
    const ascii = memoryPool.take(file.length).subarray(0, file.length);
    ascii.write(file, 'latin1');
    const reference = await picture(asked);
    const edit = { operation: 'edit', referenceImages: [reference], mask: reference } as const;
    const outcome = await attemptOf(
      { ...(strictMask && edit), ...fields },
      { image: { encoding: 'base64', ascii }, strictMask },
    );
    expect(outcome.kind).toBe(harm ? 'failed' : 'made');
    expect(lent.left).toHaveLength(left);
  },
);

type Harm = 'cut' | 'changed';

function harmed(file: Buffer, harm: Harm | undefined): Buffer {
  const middle = Math.floor(file.length / 2);
  if (harm === 'changed') file.fill(0, middle, middle + 100);
  return harm === 'cut' ? file.subarray(0, middle) : file;
}

it.each([
  [true, 'canceled', false],
  [false, 'canceled', true],
  [false, 'timeout', true],
] as const)(
  'of one that is stopped before it begins (%s) by %s it is noted that it may be charged: %s',
  async (isEarly, fault, isCharged) => {
    const stop = new AbortController();
    const reason = new UpstreamError(fault, 'stopped');
    if (isEarly) stop.abort(reason);
    const outcome = attempt({
      adapter: {
        ...adapterThat(raw(Buffer.alloc(0)), []),
        run: (_job, { signal }) => silent(signal),
      },
      upstreamName: 'studio',
      key: null,
      strictMask: false,
      job: plainJob,
      clock: new ManualClock(),
      signal: stop.signal,
      unwanted: stop.signal,
      onPartial: async () => {},
    });
    stop.abort(reason);
    expect((await outcome).record).toMatchObject({ fault, possibly_charged: isCharged });
  },
);

const shown: UpstreamEvent = {
  kind: 'partial',
  index: 0,
  image: { encoding: 'raw', bytes: Buffer.alloc(1) },
};
const broken = {
  encoding: 'raw' as const,
  get bytes(): Buffer {
    throw new Error('out of memory');
  },
};

const unusable = { ...finalOf(raw(Buffer.alloc(0)), []), image: broken };

it.each<[string, boolean, UpstreamEvent[]]>([
  ['nothing', false, []],
  ['a partial image', true, [shown]],
  ['the picture, with which nothing can be done', true, [unusable]],
])(
  'of one that fails after %s it is noted that it may be charged: %s',
  async (_what, isCharged, events) => {
    const outcome = await attempt({
      adapter: { ...adapterThat(raw(Buffer.alloc(0)), []), run: () => failing(events) },
      upstreamName: 'studio',
      key: null,
      strictMask: false,
      job: { ...plainJob, partialImages: 1 },
      clock: new ManualClock(),
      signal: new AbortController().signal,
      unwanted: new AbortController().signal,
      onPartial: async () => {},
    });
    expect(outcome).toMatchObject({ kind: 'failed', record: { possibly_charged: isCharged } });
  },
);

it('may be charged where it ends without a picture and says nothing', async () => {
  expect((await outcomeOf(failing([], null))).record).toMatchObject({
    fault: 'protocol',
    possibly_charged: true,
  });
});

it('is found again at the upstream by the name under which that took it on', async () => {
  const accepted: UpstreamEvent = { kind: 'accepted', upstreamRequestId: 'their-id' };
  const { record } = await outcomeOf(failing([accepted]));
  expect(record).toMatchObject({ fault: 'unavailable', upstream_request_id: 'their-id' });
});

it('tells of a picture what its upstream says of it', async () => {
  const tokens = { input: 3, output: 4, inputText: 1, inputImage: 2 };
  const actual = { quality: 'hd', background: null };
  const final = { ...finalOf(raw((await picture(asked)).bytes), []), actual, tokens };
  const outcome = await outcomeOf(failing([{ ...final, revisedPrompt: 'a red fox' }]));
  expect(outcome).toMatchObject({ picture: { tokens, quality: 'hd', revisedPrompt: 'a red fox' } });
});

function outcomeOf(events: AsyncGenerator<UpstreamEvent, void, void>) {
  return attempt({
    adapter: { ...adapterThat(raw(Buffer.alloc(0)), []), run: () => events },
    upstreamName: 'studio',
    key: null,
    strictMask: false,
    job: plainJob,
    clock: new ManualClock(),
    signal: new AbortController().signal,
    unwanted: new AbortController().signal,
    onPartial: async () => {},
  });
}

async function* failing(
  events: readonly UpstreamEvent[],
  end: Error | null = new UpstreamError('unavailable', 'as the test says'),
): AsyncGenerator<UpstreamEvent, void, void> {
  yield* events;
  if (end) throw end;
}

/** Says nothing until it is stopped. */
async function* silent(signal: AbortSignal): AsyncGenerator<UpstreamEvent, void, void> {
  yield await abortOf(signal);
}

interface Given {
  image?: EncodedImage;
  told?: UpstreamWarning[];
  strictMask?: boolean;
  /** As the upstream says. */
  background?: string;
}

async function warningsOf(fields: Partial<ImageJob>, given: Given = {}) {
  const outcome = await attemptOf(fields, given);
  expect(outcome.kind).toBe('made');
  return outcome.record.warnings;
}

async function attemptOf(
  fields: Partial<ImageJob>,
  { image, told = [], strictMask = false, background }: Given = {},
) {
  return await attempt({
    adapter: adapterThat(image ?? raw((await picture(asked)).bytes), told, background),
    upstreamName: 'studio',
    key: null,
    strictMask,
    job: { ...plainJob, ...fields },
    clock: new ManualClock(),
    signal: new AbortController().signal,
    unwanted: new AbortController().signal,
    onPartial: async () => {},
  });
}

function raw(bytes: Buffer): EncodedImage {
  return { encoding: 'raw', bytes };
}

function adapterThat(
  image: EncodedImage,
  warnings: UpstreamWarning[],
  background: string | null = null,
): Adapter {
  return {
    capabilities: () => expect.fail('nobody asks'),
    async *run(): AsyncGenerator<UpstreamEvent, void, void> {
      yield { ...finalOf(image, warnings), actual: { quality: null, background } };
    },
    listModels: async () => [],
    close: async () => {},
  };
}

function finalOf(
  image: EncodedImage,
  warnings: UpstreamWarning[],
): UpstreamEvent & { kind: 'final' } {
  return {
    kind: 'final',
    image,
    revisedPrompt: null,
    actual: { quality: null, background: null },
    tokens: null,
    upstreamRequestId: null,
    warnings,
  };
}

/** Hardly compressible, so that its file is long enough for memory that is given back. */
function noise(size: { width: number; height: number }): Promise<Buffer> {
  const create = { ...size, channels: 3, background: 'black' } as const;
  return sharp({ create: { ...create, noise: { type: 'gaussian', mean: 128, sigma: 60 } } })
    .png()
    .toBuffer();
}

async function picture(size: { width: number; height: number }, alpha = 0.5): Promise<InputImage> {
  const background = { r: 10, g: 200, b: 30, alpha };
  const bytes = await sharp({ create: { ...size, channels: 4, background } })
    .png()
    .toBuffer();
  return { ...size, bytes, format: 'png', hasAlpha: true };
}

it('records how many came before it in the queue of the upstream', async () => {
  const bench = new PictureBench({ a: [{ queuedBehind: [4, 2, 1] }] });
  await bench.make();
  expect(bench.attempts.map((record) => record.queued_behind)).toEqual([4]);
});
