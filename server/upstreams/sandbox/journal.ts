import { appendFileSync } from 'node:fs';
import type { ImageJob } from '../upstream.ts';

/** What a journal tells of an attempt: nothing that could carry a prompt, a picture or a key. */
export interface JournalLine {
  event: 'asked' | 'accepted' | 'final';
  traceId: string;
  pictureIndex: number;
  attempt: number;
}

/** Only files of this name are written, so that the setting cannot be aimed at another one. */
export const journalFile = /^\/(?:.*\/)?[\w.-]+\.sandbox-journal$/;

/**
 * Appends what the sandbox was asked to a file, for tests that end the process by force: each line
 * is with the operating system before the attempt goes on, and outlives the process.
 */
export function writeJournal(
  file: string,
  event: JournalLine['event'],
  { traceId, pictureIndex, attempt }: ImageJob,
): void {
  const line: JournalLine = { event, traceId, pictureIndex, attempt };
  appendFileSync(file, `${JSON.stringify(line)}\n`, { mode: 0o600 });
}
