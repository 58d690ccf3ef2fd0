import { useState } from 'react';
import {
  type ImageBackground,
  type ImageFormat,
  imageBackgrounds,
} from '../../../../../shared/image-options.ts';
import { playgroundText } from '../../../../i18n/playground-text.ts';
import { useText } from '../../../../i18n/text.ts';
import { Field } from '../../../../ui/field.tsx';
import { Segmented } from '../../../../ui/segmented.tsx';
import { useChangeDraft } from '../draft/use-change-draft.ts';
import { withBackground, withFormat } from '../draft/wanted.ts';
import { usePlayground } from '../playground-context.tsx';
import { useReplacedText } from './use-replaced-text.ts';

/** Format and background, of which one may change the other: then it is said. */
export function FormatControls() {
  const t = useText(playgroundText);
  const { model, fitted } = usePlayground();
  const { changeWanted } = useChangeDraft();
  const replaced = useReplacedText();
  const [switched, setSwitched] = useState<'format' | 'background' | null>(null);
  const { format, background } = fitted.values;
  const formats = model?.capabilities?.output_formats ?? ['png'];
  const backgrounds = imageBackgrounds.filter(
    (value) => value !== 'transparent' || model?.capabilities?.transparent_background !== false,
  );
  const chooseFormat = (chosen: ImageFormat) => {
    setSwitched(chosen === 'jpeg' && background === 'transparent' ? 'background' : null);
    changeWanted((wanted) => withFormat(wanted, chosen));
  };
  const chooseBackground = (chosen: ImageBackground) => {
    setSwitched(chosen === 'transparent' && format === 'jpeg' ? 'format' : null);
    changeWanted((wanted) => withBackground(wanted, chosen));
  };
  return (
    <>
      <div data-field="output_format">
        <Field
          label={t.format}
          help={switched === 'format' ? t.switchedFormat(t.formats[format]) : replaced('format')}
        >
          <Segmented
            value={format}
            choices={formats.map((value) => ({ value, label: t.formats[value] }))}
            onChange={chooseFormat}
          />
        </Field>
      </div>
      <div data-field="background">
        <Field
          label={t.background}
          help={
            switched === 'background'
              ? t.switchedBackground(t.backgrounds[background])
              : replaced('background')
          }
        >
          <Segmented
            value={background}
            choices={backgrounds.map((value) => ({ value, label: t.backgrounds[value] }))}
            onChange={chooseBackground}
          />
        </Field>
      </div>
      <span role="status" className="sr-only">
        {switched === 'format' && t.switchedFormat(t.formats[format])}
        {switched === 'background' && t.switchedBackground(t.backgrounds[background])}
      </span>
    </>
  );
}
