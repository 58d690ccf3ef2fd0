import { Upload } from 'lucide-react';
import { useId, useRef, useState } from 'react';
import { maskText } from '../i18n/mask-text.ts';
import { useText } from '../i18n/text.ts';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import { icon } from '../ui/icon.ts';
import { Notice } from '../ui/notice.tsx';
import { Slider } from '../ui/slider.tsx';
import { Switch } from '../ui/switch.tsx';
import { readMaskFile } from './mask-bitmaps.ts';
import type { MaskDocument, MaskShape } from './mask-document.ts';
import { maskLimits } from './mask-limits.ts';
import type { MaskContent } from './mask-log.ts';
import { RegionForm } from './region-form.tsx';
import type { Size } from './view.ts';

export interface MaskPanelProps {
  picture: Size;
  content: MaskContent;
  coverage: number;
  /** Whether the mask could not be saved. */
  hasFailed: boolean;
  keepOutside: MaskDocument['keepOutside'] | null;
  onKeepOutside: (keepOutside: { feather: number } | null) => void;
  onAdd: (shape: MaskShape) => void;
  onUpload: (png: Blob) => Promise<void>;
}

/** What a mask can do, and the ways to one without painting. */
export function MaskPanel({
  picture,
  content,
  coverage,
  hasFailed,
  keepOutside,
  onKeepOutside,
  onAdd,
  onUpload,
}: MaskPanelProps) {
  const t = useText(maskText);
  return (
    <>
      {hasFailed && (
        <Notice tone="bad">
          <p>{t.saveFailed}</p>
        </Notice>
      )}
      {coverage === 1 && (
        <Notice tone="warn">
          <p>{t.covered.all}</p>
        </Notice>
      )}
      <section className="grid gap-3 border-t border-line pt-4">
        <p className="text-label text-text-2">{t.guides}</p>
        <Switch
          label={t.keepOutside}
          help={t.keepOutsideHelp}
          checked={keepOutside !== null}
          onChange={(isOn) => onKeepOutside(isOn ? { feather: maskLimits.featherDefault } : null)}
        />
        {keepOutside && (
          <Field label={t.feather} note={<span className="tabular">{keepOutside.feather} px</span>}>
            <Slider
              value={keepOutside.feather}
              min={0}
              max={maskLimits.featherMax}
              onChange={(feather) => onKeepOutside({ feather })}
            />
          </Field>
        )}
      </section>
      <RegionForm picture={picture} content={content} onAdd={onAdd} />
      <UploadMask picture={picture} onUpload={onUpload} />
    </>
  );
}

function UploadMask({ picture, onUpload }: Pick<MaskPanelProps, 'picture' | 'onUpload'>) {
  const t = useText(maskText).upload;
  const input = useRef<HTMLInputElement>(null);
  const errorId = useId();
  const [error, setError] = useState<string | null>(null);
  const read = async (file: File) => {
    const found = await readMaskFile(file, picture);
    if (found.kind === 'mask') await onUpload(found.png);
    const errors = { mask: null, no_image: t.noImage, too_large: t.tooLarge, empty: t.empty };
    setError(errors[found.kind]);
  };
  return (
    <section className="grid gap-2 border-t border-line pt-4">
      <h3 className="text-label">{t.title}</h3>
      <p className="text-label text-text-2">{t.help}</p>
      <input
        ref={input}
        type="file"
        accept="image/*"
        hidden
        data-testid="mask-file"
        onChange={(event) => {
          const [file] = event.target.files ?? [];
          if (file) void read(file);
          // The same file once more is a choice, too.
          event.target.value = '';
        }}
      />
      <div>
        <Button
          icon={<Upload {...icon} />}
          {...(error ? { 'aria-describedby': errorId } : {})}
          onClick={() => input.current?.click()}
        >
          {t.button}
        </Button>
      </div>
      {error && (
        <p id={errorId} role="alert" className="text-label text-bad">
          {error}
        </p>
      )}
    </section>
  );
}
