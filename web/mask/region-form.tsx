import { type FormEvent, useState } from 'react';
import { maskText } from '../i18n/mask-text.ts';
import { useText } from '../i18n/text.ts';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import { NumberInput } from '../ui/number-input.tsx';
import { Segmented } from '../ui/segmented.tsx';
import { effectiveTool } from './mask-canvas.tsx';
import type { MaskShape, MaskTool } from './mask-document.ts';
import type { MaskContent } from './mask-log.ts';
import { type ReadRegion, type RegionFields, type RegionUnit, readRegion } from './region.ts';
import type { Size } from './view.ts';

export interface RegionFormProps {
  picture: Size;
  content: MaskContent;
  onAdd: (shape: MaskShape) => void;
}

const names = ['x', 'y', 'width', 'height'] as const;
const firstFields: RegionFields = { x: '25', y: '25', width: '50', height: '50' };

/** A rectangle by its numbers. */
export function RegionForm({ picture, content, onAdd }: RegionFormProps) {
  const t = useText(maskText).region;
  const [unit, setUnit] = useState<RegionUnit>('percent');
  const [fields, setFields] = useState(firstFields);
  const [outcome, setOutcome] = useState<Outcome>({ kind: 'none' });
  const add = (wanted: MaskTool) => {
    const read = readRegion(fields, unit, picture);
    setOutcome(read.kind === 'invalid' ? read : { kind: 'done', tool: wanted });
    if (read.kind === 'invalid') return;
    const { x, y, width, height } = read;
    onAdd({ kind: 'rectangle', tool: effectiveTool(wanted, content), x, y, width, height });
  };
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    add('brush');
  };
  return (
    <form onSubmit={onSubmit} noValidate className="grid gap-2 border-t border-line pt-4">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h3 className="text-label">{t.title}</h3>
        <Segmented
          label={t.unit}
          value={unit}
          onChange={setUnit}
          choices={[
            { value: 'percent', label: '%' },
            { value: 'px', label: 'px' },
          ]}
        />
      </div>
      <div className="grid grid-cols-2 gap-2">
        {names.map((name) => (
          <Field
            key={name}
            label={t[name]}
            error={
              outcome.kind === 'invalid' && outcome.field === name ? t.errors[outcome.why] : null
            }
          >
            <NumberInput
              value={fields[name]}
              unit={unit === 'px' ? 'px' : '%'}
              onChange={(value) => setFields((before) => ({ ...before, [name]: value }))}
            />
          </Field>
        ))}
      </div>
      <div className="flex flex-wrap gap-2">
        <Button type="submit">{t.add}</Button>
        <Button look="quiet" onClick={() => add('eraser')}>
          {t.remove}
        </Button>
      </div>
      <p role="status" className="sr-only">
        {outcome.kind === 'done' && (outcome.tool === 'brush' ? t.added : t.removed)}
      </p>
    </form>
  );
}

type Outcome =
  | { kind: 'none' }
  | { kind: 'done'; tool: MaskTool }
  | Extract<ReadRegion, { kind: 'invalid' }>;
