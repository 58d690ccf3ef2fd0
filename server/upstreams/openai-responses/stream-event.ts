/**
 * One event of the stream as what it means to us. Source: the npm package openai 7.55,
 * `resources/responses/responses.d.ts`, type `ResponseStreamEvent`.
 */
import { z } from 'zod';
import type { EncodedImage } from '../../lib/pictures/encoded-image.ts';
import { type ErrorSaid, readErrorSaid, saysError } from '../wire/error-said.ts';
import type { StreamedEvent } from '../wire/event-stream.ts';
import { pictureOfText } from '../wire/picture-text.ts';
import { type OutputItem, type ResponseBody, readItem, readResponse } from './output.ts';

export type Told =
  | { kind: 'progress'; responseId: string | null }
  | { kind: 'partial'; upstreamIndex: number | null; image: EncodedImage }
  | { kind: 'item'; item: OutputItem }
  | { kind: 'end'; response: ResponseBody }
  | { kind: 'error'; said: ErrorSaid }
  | { kind: 'nothing' };

const eventBody = z.object({
  type: z.string().nullish().catch(null),
  response: z.unknown().optional(),
  item: z.unknown().optional(),
  error: z.object({}).nullish().catch(null),
  partial_image_b64: z.unknown().optional(),
  partial_image_index: z.int().min(0).nullish().catch(null),
});

export function readTold({ name, data }: StreamedEvent): Told {
  const event = eventBody.safeParse(data).data;
  if (!event) return { kind: 'nothing' };
  const type = event.type ?? name ?? '';
  switch (type) {
    case 'response.image_generation_call.partial_image': {
      const image = pictureOfText(event.partial_image_b64);
      const upstreamIndex = event.partial_image_index ?? null;
      return image ? { kind: 'partial', upstreamIndex, image } : progress();
    }
    case 'response.output_item.done': {
      const item = readItem(event.item);
      return item ? { kind: 'item', item } : progress();
    }
    case 'response.completed':
    case 'response.incomplete':
    case 'response.failed':
      return { kind: 'end', response: readResponse(event.response) };
    // Documented flat, `{type, code, message, param}`, and seen nested, `{type, error: {…}}`.
    case 'error':
      return { kind: 'error', said: readErrorSaid(saysError(data) ? data : { error: data }) };
    default:
      // Without a name it is about nothing else, so that an error that is empty counts too.
      if (type === '' && (event.error || saysError(data))) {
        return { kind: 'error', said: readErrorSaid(data) };
      }
      // Signs of life have other names and mean nothing.
      if (!type.startsWith('response.')) return { kind: 'nothing' };
      return progress(readResponse(event.response).id);
  }
}

function progress(responseId: string | null = null): Told {
  return { kind: 'progress', responseId };
}
