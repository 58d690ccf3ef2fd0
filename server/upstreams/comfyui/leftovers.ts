/** What an attempt leaves at the server, and how it is cleared away. */
import { abortOf } from '../../lib/abort.ts';
import type { Clock } from '../../lib/clock.ts';
import { withDeadline } from '../../lib/deadline.ts';
import type { ComfyuiServer } from './comfyui-server.ts';
import { emptyPicture } from './empty-picture.ts';
import { comfyuiLimits as limits } from './limits.ts';
import type { PromptWatch } from './prompt-watch.ts';
import type { SavedFile } from './saved-file.ts';

export class Leftovers {
  /** Uploaded, or written by the output node. */
  readonly files: SavedFile[] = [];
  /** Of the prompt that was sent, whether or not the server has said that it has it. */
  promptId: string | null = null;
  watch: PromptWatch | null = null;
  /** Whether the workflow has given its picture, and so will end by itself. */
  isDelivered = false;
}

/**
 * Stops what still runs, and then takes the prompt out of the history and the pictures out of their
 * files: nothing of the content is to stay. It goes on without whatever of it fails; it never throws.
 */
export async function clearAway(
  leftovers: Leftovers,
  server: ComfyuiServer,
  clock: Clock,
): Promise<void> {
  const { promptId, watch } = leftovers;
  await withDeadline({ clock, ms: limits.errandMsMax }, async (signal) => {
    if (promptId !== null) {
      const isDone = leftovers.isDelivered || watch?.isDone;
      if (!isDone) await tried(server.cancel(promptId, signal));
      await untilEnded(leftovers, server, clock);
      await tried(server.forget(promptId, signal));
    }
    for (const file of leftovers.files) {
      const { bytes } = emptyPicture;
      await tried(server.upload({ ...file, bytes, overwrite: true }, signal));
    }
  });
  watch?.close();
}

/** What waited is gone now; what ran enters the history when it comes to its end, and not before. */
async function untilEnded(
  { promptId, watch, isDelivered }: Leftovers,
  server: ComfyuiServer,
  clock: Clock,
): Promise<void> {
  if (promptId === null || !watch) return;
  await withDeadline({ clock, ms: limits.endingMsMax }, async (signal) => {
    if (watch.isLost) return await untilInHistory(promptId, { server, clock, signal });
    if (!isDelivered && !watch.hasStarted) return;
    await Promise.race([watch.untilEnded(), abortOf(signal).catch(() => {})]);
  });
}

async function untilInHistory(
  promptId: string,
  { server, clock, signal }: { server: ComfyuiServer; clock: Clock; signal: AbortSignal },
): Promise<void> {
  const look = async () => {
    while (!(await server.history(promptId, signal))) await clock.sleep(limits.endingMs, signal);
  };
  await tried(look());
}

/** Nobody waits for these errands, so nobody is there to be told. */
async function tried(errand: Promise<unknown>): Promise<void> {
  await errand.catch(() => {});
}
