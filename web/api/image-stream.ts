/** Reads the stream that answers an image request: previews, then the picture and its receipt. */
import type { z } from 'zod';
import type { editEventSchema, generationEventSchema } from '../../shared/api/images.ts';
import type { StreamReceipt } from '../../shared/console/playground.ts';
import { ApiError } from './api-error.ts';
import { decodeBase64 } from './decode-base64.ts';
import { readEvents } from './read-events.ts';

/** The connection ended before the last event: what became of the request has to be asked. */
export class StreamCut extends Error {
  constructor(cause?: unknown) {
    super('The connection ended without a result.', { cause });
    this.name = 'StreamCut';
  }
}

/** What was really used. */
export interface UsedForm {
  /** `1536x1024` */
  size: string;
  quality: string;
  output_format: string;
  background: string;
}

export interface FinishedImage {
  image: Blob;
  used: UsedForm;
  receipt: StreamReceipt;
}

type ImageEvent = z.infer<typeof generationEventSchema | typeof editEventSchema>;
type Completed = Extract<ImageEvent, { usage: unknown }> & { tintype: StreamReceipt };

export async function readImageStream(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  onPartial: (index: number, image: Blob) => void,
): Promise<FinishedImage> {
  for await (const event of eventsOf(body)) {
    switch (event.type) {
      case 'image_generation.partial_image':
      case 'image_edit.partial_image':
        onPartial(event.partial_image_index, imageOf(event));
        break;
      case 'image_generation.completed':
      case 'image_edit.completed':
        return finishedOf(event);
      case 'error': {
        const { code, message, param, trace_id } = event.error;
        throw new ApiError({ code, message, param, traceId: trace_id });
      }
    }
  }
  throw new StreamCut();
}

async function* eventsOf(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
): AsyncGenerator<ImageEvent> {
  try {
    yield* readEvents<ImageEvent>(body);
  } catch (error) {
    throw new StreamCut(error);
  }
}

function finishedOf(event: Extract<ImageEvent, { usage: unknown }>): FinishedImage {
  // The console's routes always add the receipt.
  const { tintype } = event as Completed;
  const { size, quality, output_format, background } = event;
  return {
    image: imageOf(event),
    used: { size, quality, output_format, background },
    receipt: tintype,
  };
}

function imageOf({ b64_json, output_format }: { b64_json: string; output_format: string }): Blob {
  return new Blob([decodeBase64(b64_json)], { type: `image/${output_format}` });
}
