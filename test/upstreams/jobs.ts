/** Jobs and pictures for the contract: real ones, each picture unlike the others. */
import type { ImageJob, InputImage } from '../../server/upstreams/upstream.ts';
import type { ImageFormat } from '../../shared/image-options.ts';
import { makePicture, pngChunk } from '../support/pictures.ts';
import { plainJob } from '../support/upstreams/plain-job.ts';
import type { ContractSubject } from './contract-subject.ts';

/** Looked for wherever a prompt must not be. */
export const promptCanary = 'a fox on the ice that nobody else may read of 5f1c9e7b';

export function generationJob(
  { upstreamModel }: ContractSubject,
  overrides: Partial<ImageJob> = {},
): ImageJob {
  return {
    ...plainJob,
    upstreamModel,
    prompt: promptCanary,
    size: { width: 1024, height: 1024 },
    traceId: 'req_contract',
    ...overrides,
  };
}

export async function editJob(
  subject: ContractSubject,
  { references, withMask }: { references: number; withMask: boolean },
): Promise<ImageJob> {
  const formats: readonly ImageFormat[] = ['png', 'jpeg', 'webp'];
  const referenceImages = await Promise.all(
    Array.from({ length: references }, (_, index) =>
      inputImage(formats[index % formats.length] ?? 'png', index),
    ),
  );
  const mask = withMask ? await maskImage() : null;
  return generationJob(subject, { operation: 'edit', referenceImages, mask });
}

const inputSize = { width: 64, height: 48 };

async function inputImage(format: ImageFormat, index: number): Promise<InputImage> {
  // The first is what a mask applies to; the others have other sizes, and so other bytes.
  const size = { width: inputSize.width + index, height: inputSize.height };
  return { bytes: await makePicture(format, size), format, ...size, hasAlpha: false };
}

async function maskImage(): Promise<InputImage> {
  const bytes = await makePicture('png', { ...inputSize, alpha: true });
  return { bytes, format: 'png', ...inputSize, hasAlpha: true };
}

const fillingBytes = 48_000;

/** A whole PNG of the asked size, long enough to be a picture and not a word in its answer. */
export async function realPicture(seed = 0): Promise<Buffer> {
  const bare = await makePicture('png', { width: 1024, height: 1024 });
  // Just before the last chunk, which is twelve bytes.
  const end = bare.length - 12;
  const filling = pngChunk('fiLl', Buffer.alloc(fillingBytes, `filling ${seed} `));
  return Buffer.concat([bare.subarray(0, end), filling, bare.subarray(end)]);
}

/** A whole PNG of some hundred bytes. */
export function smallPicture(): Promise<Buffer> {
  return makePicture('png', { width: 16, height: 16 });
}
