import { Plus } from 'lucide-react';
import { useState } from 'react';
import { adminUpstreamsText } from '../../../../i18n/admin-upstreams-text.ts';
import { useText } from '../../../../i18n/text.ts';
import { Field } from '../../../../ui/field.tsx';
import { icon } from '../../../../ui/icon.ts';
import { IconButton } from '../../../../ui/icon-button.tsx';
import { Select } from '../../../../ui/select.tsx';
import { type FreePlace, keyOf, type Place } from './workflow-graph.ts';

export interface SlotMarkProps {
  title: string;
  places: readonly FreePlace[];
  marked: readonly Place[];
  /** Where the workflow says by itself what goes there: `%prompt%`. */
  placeholder: string | null;
  problem: string | null;
  onChange: (marked: readonly Place[]) => void;
}

/** The places that one value goes to: mostly one, or none. */
export function SlotMark({ title, places, marked, placeholder, problem, onChange }: SlotMarkProps) {
  const t = useText(adminUpstreamsText);
  const [hasOneMore, setOneMore] = useState(false);
  const choices = [
    { value: '', label: placeholder ?? t.unmarked },
    ...places.map((place) => ({
      value: keyOf(place),
      label: place.label,
      detail: <span translate="no">{place.value}</span>,
    })),
  ];
  const choose = (index: number, key: string) => {
    setOneMore(false);
    const chosen = places.find((place) => keyOf(place) === key);
    const given = chosen ? [{ node: chosen.node, input: chosen.input }] : [];
    onChange([...marked.slice(0, index), ...given, ...marked.slice(index + 1)]);
  };
  // An empty one to choose by, where there is none or one more is wanted.
  const shown = [...marked, ...(marked.length === 0 || hasOneMore ? [null] : [])];
  return (
    <div className="grid min-w-0 content-start gap-1.5">
      {shown.map((place, index) => (
        <div key={place ? keyOf(place) : ''} className="flex min-w-0 items-end gap-1">
          <Field
            label={index === 0 ? title : t.alsoTo(title)}
            isLabelHidden={index > 0}
            error={index === 0 ? problem : null}
            className="flex-1"
          >
            <Select
              value={place ? keyOf(place) : ''}
              choices={choices}
              onChange={(key) => choose(index, key)}
            />
          </Field>
          {index === shown.length - 1 && place !== null && (
            <IconButton
              label={t.alsoTo(title)}
              icon={<Plus {...icon} />}
              onClick={() => setOneMore(true)}
            />
          )}
        </div>
      ))}
    </div>
  );
}
