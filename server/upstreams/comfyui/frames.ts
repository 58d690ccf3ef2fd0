/** What ComfyUI says over its socket, read into the few things we act upon. */
import { z } from 'zod';
import { comfyuiLimits as limits } from './limits.ts';
import { type SavedFile, savedFilesOf } from './saved-file.ts';

/** Each is about one prompt; null where the frame does not say about which. */
export type Frame =
  | { kind: 'queue'; remaining: number }
  | { kind: 'started'; promptId: string }
  | { kind: 'executing'; promptId: string; node: string }
  /** The server has put the prompt into its history. */
  | { kind: 'ended'; promptId: string }
  | { kind: 'progress'; promptId: string; share: number }
  | { kind: 'saved'; promptId: string; node: string; files: readonly SavedFile[] }
  | { kind: 'succeeded'; promptId: string }
  | { kind: 'failed'; promptId: string; error: ExecutionError }
  | { kind: 'interrupted'; promptId: string }
  | { kind: 'picture'; promptId: string | null; nodes: readonly string[]; bytes: Buffer };

export interface ExecutionError {
  /** The name of a Python class. */
  type: string | null;
  /** For matching only: it may quote the prompt. */
  message: string | null;
}

const text = z.string().nullish().catch(null);
const id = z.string().max(64);
const share = z.number().nonnegative();

/** The members that any of the messages has; which are there depends on the type. */
const message = z.object({
  type: z.string(),
  data: z.object({
    prompt_id: id.nullish().catch(null),
    node: id.nullish().catch(null),
    value: share.optional().catch(undefined),
    max: share.optional().catch(undefined),
    nodes: z
      .record(z.string(), z.object({ value: share, max: share, state: z.string() }))
      .optional()
      .catch(undefined),
    output: z.unknown().optional(),
    exception_type: text,
    exception_message: text,
    status: z
      .object({ exec_info: z.object({ queue_remaining: z.int().nonnegative() }) })
      .optional()
      .catch(undefined),
  }),
});
type MessageData = z.infer<typeof message>['data'];

/** Null for what is not about the course of a prompt, or cannot be read. */
export function readTextFrame(frame: string): Frame | null {
  if (frame.length > limits.textFrameCharactersMax) return null;
  const parsed = message.safeParse(parsedOrNull(frame));
  if (!parsed.success) return null;
  const { type, data } = parsed.data;
  if (type === 'status') {
    const remaining = data.status?.exec_info.queue_remaining;
    return remaining === undefined ? null : { kind: 'queue', remaining };
  }
  return data.prompt_id ? frameOf(type, data, data.prompt_id) : null;
}

function parsedOrNull(frame: string): unknown {
  try {
    return JSON.parse(frame);
  } catch {
    return null;
  }
}

function frameOf(type: string, data: MessageData, promptId: string): Frame | null {
  switch (type) {
    case 'execution_start':
      return { kind: 'started', promptId };
    case 'executing':
      return data.node
        ? { kind: 'executing', promptId, node: data.node }
        : { kind: 'ended', promptId };
    case 'progress':
      return { kind: 'progress', promptId, share: shareOf(data.value, data.max) };
    case 'progress_state':
      return { kind: 'progress', promptId, share: shareOfRunning(data.nodes ?? {}) };
    case 'executed': {
      const files = savedFilesOf(data.output);
      return data.node ? { kind: 'saved', promptId, node: data.node, files } : null;
    }
    case 'execution_success':
      return { kind: 'succeeded', promptId };
    case 'execution_error': {
      const error = { type: data.exception_type ?? null, message: data.exception_message ?? null };
      return { kind: 'failed', promptId, error };
    }
    case 'execution_interrupted':
      return { kind: 'interrupted', promptId };
    default:
      return null;
  }
}

function shareOf(value = 0, max = 0): number {
  return max > 0 ? Math.min(1, value / max) : 0;
}

function shareOfRunning(nodes: NonNullable<MessageData['nodes']>): number {
  const running = Object.values(nodes).filter(({ state }) => state === 'running');
  return Math.max(0, ...running.map(({ value, max }) => shareOf(value, max)));
}

/** The event types and lengths of binary frames, all of them big-endian. */
const pictureEvent = 1;
const pictureWithMetadataEvent = 4;
const wordBytes = 4;

/** The picture of a binary frame; null for every other kind of frame. */
export function readBinaryFrame(frame: Buffer): Frame | null {
  if (frame.length < 2 * wordBytes) return null;
  const second = frame.readUInt32BE(wordBytes);
  const rest = frame.subarray(2 * wordBytes);
  switch (frame.readUInt32BE(0)) {
    case pictureEvent:
      // The second word says jpeg or png, which the picture itself does too.
      return { kind: 'picture', promptId: null, nodes: [], bytes: rest };
    case pictureWithMetadataEvent: {
      if (second > Math.min(rest.length, limits.previewMetadataBytesMax)) return null;
      const metadata = readMetadata(rest.subarray(0, second));
      return metadata && { kind: 'picture', ...metadata, bytes: rest.subarray(second) };
    }
    default:
      return null;
  }
}

const metadataSchema = z.object({
  prompt_id: id,
  node_id: id,
  /** A node that was put into the graph while it ran, and the node it stands for. */
  display_node_id: id.nullish().catch(null),
  real_node_id: id.nullish().catch(null),
});

function readMetadata(json: Buffer): { promptId: string; nodes: string[] } | null {
  const parsed = metadataSchema.safeParse(parsedOrNull(json.toString('utf8')));
  if (!parsed.success) return null;
  const { prompt_id, node_id, display_node_id, real_node_id } = parsed.data;
  const nodes = [node_id, display_node_id, real_node_id].filter((node) => typeof node === 'string');
  return { promptId: prompt_id, nodes };
}
