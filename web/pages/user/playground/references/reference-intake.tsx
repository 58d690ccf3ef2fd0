import { createContext, type ReactNode, useCallback, useContext, useMemo, useState } from 'react';
import { imageLimits } from '../../../../../shared/limits.ts';
import { useOpenPart } from '../../../../parts/use-open-part.ts';
import type { Reference } from '../draft/draft-content.ts';
import { useChangeDraft } from '../draft/use-change-draft.ts';
import { usePlayground } from '../playground-context.tsx';
import { DropTarget } from './drop-target.tsx';
import type { ReadFile, RefusedFile, RefusedRead } from './read-reference.ts';
import { usePaste } from './use-paste.ts';

/** What could not be attached as it is, or was changed to be. */
export type IntakeNote =
  | { id: number; kind: 'too_large'; file: RefusedFile }
  | { id: number; kind: 'heic' | 'no_image'; name: string }
  | { id: number; kind: 'shrunk'; name: string; bytes: number }
  /** As many as its model takes, which may be none. */
  | { id: number; kind: 'full'; max: number; model: string };

export interface Intake {
  /** More than zero while files are being read. */
  reading: number;
  notes: readonly IntakeNote[];
  attach: (files: readonly File[]) => void;
  /** Says why one that was read elsewhere is no reference, and offers what can be done about it. */
  refuse: (read: RefusedRead) => void;
  attachShrunk: (note: IntakeNote & { kind: 'too_large' }) => void;
  dismiss: (id: number) => void;
}

const IntakeContext = createContext<Intake | null>(null);

export function useIntake(): Intake {
  const intake = useContext(IntakeContext);
  if (!intake) throw new Error('there is no intake around this');
  return intake;
}

type NewNote = IntakeNote extends infer N ? (N extends IntakeNote ? Omit<N, 'id'> : never) : never;

let lastNoteId = 0;

/** That there are as many as the model takes is said once for all that came after. */
function isSameLimit(one: IntakeNote, other: NewNote): boolean {
  return one.kind === 'full' && other.kind === 'full';
}

/** What was there when it was chosen, and cannot be read or drawn any more. */
function noImage({ name }: File): ReadFile {
  return { kind: 'no_image', name };
}

/** Takes files from everywhere on the page: dropped, pasted, picked. */
export function ReferenceIntake({ children }: { children: ReactNode }) {
  const { model, drafts } = usePlayground();
  const { change } = useChangeDraft();
  const [reading, setReading] = useState(0);
  const [notes, setNotes] = useState<readonly IntakeNote[]>([]);
  const max = model?.capabilities?.reference_images_max ?? imageLimits.referenceImagesMax;
  const modelId = model?.id ?? '';

  const note = useCallback((added: NewNote) => {
    const id = ++lastNoteId;
    setNotes((before) => [...before.filter((each) => !isSameLimit(each, added)), { ...added, id }]);
  }, []);
  const openPart = useOpenPart();
  const dismiss = useCallback((id: number) => {
    setNotes((before) => before.filter((each) => each.id !== id));
  }, []);
  const add = useCallback(
    (reference: Reference): boolean => {
      if (drafts.get().references.length >= max) {
        note({ kind: 'full', max, model: modelId });
        return false;
      }
      change(({ references }) => ({ references: [...references, reference] }));
      return true;
    },
    [change, drafts, max, modelId, note],
  );
  const take = useCallback(
    (read: ReadFile) => {
      if (read.kind === 'reference') add(read.reference);
      else note(read);
    },
    [add, note],
  );
  const whileReading = useCallback(async <T,>(read: () => Promise<T>): Promise<T> => {
    setReading((count) => count + 1);
    try {
      return await read();
    } finally {
      setReading((count) => count - 1);
    }
  }, []);
  const attach = useCallback(
    async (files: readonly File[]) => {
      await whileReading(async () => {
        const reader = await openPart(() => import('./read-reference.ts'));
        if (!reader) return;
        // One after the other: they keep their order, and one is decoded at a time.
        for (const file of files) take(await reader.readReference(file).catch(() => noImage(file)));
      });
    },
    [take, whileReading, openPart],
  );
  const attachShrunk = useCallback(
    async ({ id, file }: IntakeNote & { kind: 'too_large' }) => {
      dismiss(id);
      const read = await whileReading(async () => {
        const reader = await openPart(() => import('./read-reference.ts'));
        return reader?.readShrunk(file);
      });
      if (!read) return;
      if (read.kind !== 'reference') note(read);
      else if (add(read.reference)) {
        note({ kind: 'shrunk', name: file.name, bytes: read.reference.image.size });
      }
    },
    [add, dismiss, note, whileReading, openPart],
  );
  const intake = useMemo<Intake>(
    () => ({
      reading,
      notes,
      attach: (files) => void attach(files),
      refuse: note,
      attachShrunk: (refused) => void attachShrunk(refused),
      dismiss,
    }),
    [reading, notes, attach, note, attachShrunk, dismiss],
  );
  usePaste(intake.attach);
  return (
    <IntakeContext value={intake}>
      <DropTarget onDrop={intake.attach}>{children}</DropTarget>
    </IntakeContext>
  );
}
