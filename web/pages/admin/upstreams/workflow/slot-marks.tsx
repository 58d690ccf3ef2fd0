import { adminUpstreamsText } from '../../../../i18n/admin-upstreams-text.ts';
import { useText } from '../../../../i18n/text.ts';
import { SlotMark } from './slot-mark.tsx';
import { slotTitle } from './slot-title.ts';
import {
  freePlacesOf,
  type Graph,
  hasPlaceholder,
  imageSlot,
  type Marks,
} from './workflow-graph.ts';

export interface SlotMarksProps {
  /** Their names, but for those of reference images. */
  slots: readonly string[];
  graph: Graph;
  marks: Marks;
  promptProblem: string | null;
  onChange: (marks: Marks) => void;
}

/** The server takes no more. */
const imagesMax = 16;

/** For each value of a request, where in the workflow it goes. */
export function SlotMarks({ slots, graph, marks, promptProblem, onChange }: SlotMarksProps) {
  const t = useText(adminUpstreamsText);
  const places = freePlacesOf(graph);
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-1 text-label font-semibold">{t.slotsTitle}</legend>
      <p className="text-label text-text-2">{t.slotsHelp}</p>
      <div className="grid gap-x-5 gap-y-3 sm:grid-cols-2">
        {[...slots, ...imageSlotsOf(marks)].map((name) => (
          <SlotMark
            key={name}
            title={slotTitle(name, t)}
            places={places}
            marked={marks[name] ?? []}
            placeholder={placeholderOf(name, graph)}
            problem={name === 'prompt' ? promptProblem : null}
            onChange={(marked) => onChange({ ...marks, [name]: marked })}
          />
        ))}
      </div>
    </fieldset>
  );
}

/** Those that are marked, and one more. */
function imageSlotsOf(marks: Marks): readonly string[] {
  const used = Object.entries(marks).filter(
    ([name, { length }]) => name.startsWith('images.') && length > 0,
  );
  const last = Math.max(-1, ...used.map(([name]) => Number(name.slice('images.'.length))));
  return Array.from({ length: Math.min(last + 2, imagesMax) }, (_, index) => imageSlot(index));
}

/** What the workflow itself may say in place of a mark. */
function placeholderOf(slot: string, graph: Graph): string | null {
  const name = slot.replace('images.', 'image_');
  return hasPlaceholder(graph, name) ? `%${name}%` : null;
}
