import { ChevronLeft, ChevronRight, SquareDashedMousePointer, X } from 'lucide-react';
import { useRef } from 'react';
import { useFormats } from '../../../../i18n/formats.tsx';
import { playgroundText } from '../../../../i18n/playground-text.ts';
import { useText } from '../../../../i18n/text.ts';
import { useObjectUrl } from '../../../../lib/object-url.ts';
import { icon } from '../../../../ui/icon.ts';
import { IconButton } from '../../../../ui/icon-button.tsx';
import { moved, withMask } from '../draft/draft.ts';
import type { Reference } from '../draft/draft-content.ts';
import { useChangeDraft } from '../draft/use-change-draft.ts';
import { focusField } from '../focus-field.ts';
import { usePlayground } from '../playground-context.tsx';
import { useMaskEditor } from './use-mask-editor.ts';

const dragType = 'application/x-tintype-reference';

/** A reference with its number, by which prompts call it. It moves by dragging and by buttons. */
export function ReferenceTile({ reference, number }: { reference: Reference; number: number }) {
  const t = useText(playgroundText);
  const formats = useFormats();
  const { draft } = usePlayground();
  const { change } = useChangeDraft();
  const url = useObjectUrl(reference.thumb);
  const maskEditor = useMaskEditor();
  const paint = useRef<HTMLButtonElement>(null);
  const { id, name, mask, width, height, image } = reference;
  const move = (to: number) =>
    change(({ references }) => ({ references: moved(references, id, to) }));
  const remove = () => {
    change(({ references }) => ({ references: references.filter((each) => each.id !== id) }));
    // The button that had the focus is gone.
    requestAnimationFrame(() => focusField('images'));
  };
  const index = number - 1;
  const first = draft.references[0]?.mask ? 1 : 0;
  return (
    // Dragging and Delete are short ways: each has a button as well.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- see above
    <li
      draggable
      onDragStart={(event) => event.dataTransfer.setData(dragType, id)}
      onDragOver={(event) => {
        if (event.dataTransfer.types.includes(dragType)) event.preventDefault();
      }}
      onDrop={(event) => {
        const dropped = event.dataTransfer.getData(dragType);
        if (dropped === '') return;
        event.preventDefault();
        change(({ references }) => ({ references: moved(references, dropped, index) }));
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Delete') return;
        // Not the picture on the mat.
        event.preventDefault();
        remove();
      }}
      aria-label={t.reference(number, name)}
      className="rounded-small border border-line bg-surface"
    >
      <div className="relative aspect-square rounded-t-small bg-mat">
        {url && (
          <img
            src={url}
            alt={t.reference(number, name)}
            title={`${name} · ${width} × ${height} · ${formats.bytes(image.size)}`}
            draggable={false}
            className="size-full rounded-t-small object-contain"
          />
        )}
        <span
          aria-hidden
          className="tabular absolute top-1 left-1 min-w-5 rounded-small bg-ink px-1 text-center text-caption text-on-ink"
        >
          {number}
        </span>
        <IconButton
          size="small"
          label={t.removeReference(number)}
          icon={<X {...icon} />}
          onClick={remove}
          className="absolute top-0.5 right-0.5 bg-surface"
        />
        {mask && (
          <button
            type="button"
            title={t.maskFirst}
            aria-label={t.removeMask(number)}
            onClick={() => {
              change(({ references }) => ({ references: withMask(references, id, null) }));
              // This button goes away.
              paint.current?.focus();
            }}
            className="absolute inset-x-1 bottom-1 flex min-h-6 items-center justify-between gap-1 rounded-small bg-accent-soft px-1.5 text-caption text-accent"
          >
            <span className="truncate">{t.masked(formats.percent(mask.coverage))}</span>
            <X {...icon} size={12} />
          </button>
        )}
      </div>
      <div className="flex justify-between border-t border-line">
        <IconButton
          size="small"
          label={t.moveEarlier(number)}
          icon={<ChevronLeft {...icon} />}
          aria-disabled={index <= first || undefined}
          onClick={() => (index > first ? move(index - 1) : undefined)}
        />
        {maskEditor && (
          <IconButton
            ref={paint}
            size="small"
            label={mask ? t.changeMask(number) : t.editMask(number)}
            icon={<SquareDashedMousePointer {...icon} />}
            onClick={() => void maskEditor(reference)}
          />
        )}
        <IconButton
          size="small"
          label={t.moveLater(number)}
          icon={<ChevronRight {...icon} />}
          aria-disabled={mask !== null || number === draft.references.length || undefined}
          onClick={() =>
            mask === null && number < draft.references.length ? move(index + 1) : undefined
          }
        />
      </div>
    </li>
  );
}
