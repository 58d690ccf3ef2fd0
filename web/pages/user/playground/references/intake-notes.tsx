import { useFormats } from '../../../../i18n/formats.tsx';
import { playgroundText } from '../../../../i18n/playground-text.ts';
import { useText } from '../../../../i18n/text.ts';
import { Button } from '../../../../ui/button.tsx';
import { Notice } from '../../../../ui/notice.tsx';
import { type IntakeNote, useIntake } from './reference-intake.tsx';

/** Files that were not attached as they are, and what can be done about it. */
export function IntakeNotes() {
  const t = useText(playgroundText);
  const { notes, attachShrunk, dismiss } = useIntake();
  return notes.map((note) => (
    <Notice
      key={note.id}
      tone={note.kind === 'shrunk' ? 'ok' : 'warn'}
      actions={
        <>
          {note.kind === 'too_large' && (
            <Button size="small" onClick={() => attachShrunk(note)}>
              {t.shrink}
            </Button>
          )}
          <Button size="small" look="quiet" onClick={() => dismiss(note.id)}>
            {t.dismiss}
          </Button>
        </>
      }
    >
      <p role="status">
        <NoteText note={note} />
      </p>
    </Notice>
  ));
}

function NoteText({ note }: { note: IntakeNote }) {
  const t = useText(playgroundText);
  const formats = useFormats();
  switch (note.kind) {
    case 'too_large':
      return t.tooLarge(note.file.name, formats.bytes(note.file.image.size));
    case 'heic':
      return t.heic(note.name);
    case 'no_image':
      return t.noImage(note.name);
    case 'shrunk':
      return t.shrunk(note.name, formats.bytes(note.bytes));
    case 'full':
      return note.max === 0 ? t.referencesUnsupported(note.model) : t.referencesFull(note.max);
  }
}
