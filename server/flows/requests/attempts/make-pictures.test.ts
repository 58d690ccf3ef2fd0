/** What a caller is told of a request without a picture. */
import { expect, it } from 'vitest';
import { PictureBench, type Step } from '../../../../test/support/requests/picture-bench.ts';
import { UpstreamError } from '../../../upstreams/upstream.ts';

const modelUnavailable = { code: 'model_unavailable', retryable: false };
/** Callers go by the status, as nothing else is said. */
const worthAnotherTry = { code: 'upstream_error', retryable: null };

it('is that no upstream can do it, where all of them said so', async () => {
  const bench = new PictureBench({ a: ['unsupported'], b: ['unsupported'] });
  expect(await failed(bench)).toMatchObject(modelUnavailable);
});

it.each<Step>(['auth', 'timeout', 'protocol'])(
  'is not that no upstream can do it, where one only failed: %s',
  async (step) => {
    const bench = new PictureBench({ a: [step], b: ['unsupported'] });
    expect(await failed(bench)).toMatchObject(worthAnotherTry);
  },
);

it('is not that no upstream can do it, where one was only at rest', async () => {
  const bench = new PictureBench({ a: ['picture'], b: ['unsupported'] });
  const busy = new UpstreamError('busy', 'as the test says', { retryAfterMs: 60_000 });
  bench.laneOf('a').noteKey(null, busy);
  expect(await failed(bench)).toMatchObject(worthAnotherTry);
});

it('is that no upstream can do it, where one said so after a rest', async () => {
  const bench = new PictureBench({ a: ['unsupported'] });
  const busy = new UpstreamError('busy', 'as the test says', { retryAfterMs: 1_000 });
  bench.laneOf('a').noteKey(null, busy);
  const error = failed(bench);
  await bench.clock.untilSleeping();
  bench.clock.advance(1_000);
  expect(await error).toMatchObject(modelUnavailable);
});

it.each([
  ['output_compression', 'output_compression'],
  ['body.prompt', 'prompt'],
  ['tools[0].size', 'size'],
  ['image[0]', 'image'],
  ['image.1', 'image'],
  ['images[2].image_url', 'image'],
  ['mask.image_url', 'mask'],
  ['quality', 'quality'],
  ['background', 'background'],
  ['output_format', 'output_format'],
  ['moderation', 'moderation'],
  ['input_fidelity', 'input_fidelity'],
  ['partial_images', 'partial_images'],
])('names the field that an upstream found wrong: %s', async (upstreamParam, param) => {
  const error = await failed(new PictureBench({ a: [{ fault: 'bad_request', upstreamParam }] }));
  expect(error).toMatchObject({ code: 'invalid_request_error', retryable: false, param });
  expect(error.message).toContain(`found ${param} `);
});

it.each([
  ['image[0]', 'images'],
  ['mask', 'mask.image_url'],
  ['size', 'size'],
])('names %s as the caller of an edit in JSON does: %s', async (upstreamParam, param) => {
  const pictureParams = { images: 'images', mask: 'mask.image_url' };
  const scripts: Record<string, Step[]> = { a: [{ fault: 'bad_request', upstreamParam }] };
  const error = await failed(new PictureBench(scripts, { pictureParams }));
  expect(error).toMatchObject({ code: 'invalid_request_error', param });
});

it.each(['refused', 'bad_request'] as const)(
  'is what makes a repeat useless, where another of its pictures only failed: %s',
  async (fault) => {
    const error = await failed(new PictureBench({ a: ['protocol', fault] }, { n: 2 }));
    expect(error).toMatchObject({ code: 'invalid_request_error', retryable: false });
  },
);

it('is not to be asked again where an upstream may have charged for it', async () => {
  const error = await failed(
    new PictureBench({ a: [{ fault: 'protocol', possiblyCharged: true }] }),
  );
  expect(error).toMatchObject({ code: 'upstream_error', retryable: false });
});

it.each([
  [60_000, 60],
  [59_001, 60],
  [59_000, 59],
])(
  'is after how many seconds an upstream is free that rests for %i ms: %i',
  async (ms, seconds) => {
    const bench = new PictureBench({ a: ['picture'] });
    const busy = new UpstreamError('busy', 'as the test says', { retryAfterMs: ms });
    bench.laneOf('a').noteKey(null, busy);
    expect(await failed(bench)).toMatchObject({ code: 'unavailable', retryAfterSeconds: seconds });
  },
);

it.each(['seed', 'prompt_strength', 'tools[0].output', 'constructor', '0'])(
  'names no field that callers do not know: %s',
  async (upstreamParam) => {
    const error = await failed(new PictureBench({ a: [{ fault: 'bad_request', upstreamParam }] }));
    expect(error.param).toBeNull();
    expect(error.message).not.toContain(upstreamParam);
  },
);

async function failed(bench: PictureBench) {
  const outcome = await bench.makeAll();
  if (outcome.kind !== 'failed') throw new Error('a picture was made');
  return outcome.error;
}
