import { useId } from 'react';
import { playgroundText } from '../../../../i18n/playground-text.ts';
import { useText } from '../../../../i18n/text.ts';
import { Field } from '../../../../ui/field.tsx';
import { NumberInput } from '../../../../ui/number-input.tsx';
import { Slider } from '../../../../ui/slider.tsx';
import { useChangeDraft } from '../draft/use-change-draft.ts';
import { usePlayground } from '../playground-context.tsx';

const max = 100;

/** A number to be exact, a slider to be quick. */
export function CompressionControl() {
  const t = useText(playgroundText);
  const { fitted } = usePlayground();
  const { changeWanted } = useChangeDraft();
  const sliderId = useId();
  const { compression } = fitted.values;
  const set = (value: number) => changeWanted((wanted) => ({ ...wanted, compression: value }));
  return (
    <div className="grid grid-cols-[1fr_72px] items-end gap-3" data-field="output_compression">
      <Field label={t.compression} help={t.compressionHelp} className="col-span-2">
        <div className="grid grid-cols-[minmax(0,1fr)_72px] items-center gap-3">
          <Slider
            id={sliderId}
            aria-label={t.compression}
            value={compression}
            min={0}
            max={max}
            onChange={set}
          />
          <NumberInput
            name="output_compression"
            value={String(compression)}
            onChange={(typed) => {
              const digits = typed.replace(/\D/g, '');
              set(Math.min(max, Number(digits)));
            }}
          />
        </div>
      </Field>
    </div>
  );
}
