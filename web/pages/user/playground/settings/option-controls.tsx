import type { ReactNode } from 'react';
import { type ImageSize, inputFidelities } from '../../../../../shared/image-options.ts';
import { imageLimits } from '../../../../../shared/limits.ts';
import { playgroundText } from '../../../../i18n/playground-text.ts';
import { useText } from '../../../../i18n/text.ts';
import { useMediaQuery } from '../../../../lib/media-query.ts';
import { Field } from '../../../../ui/field.tsx';
import { Segmented } from '../../../../ui/segmented.tsx';
import { useChangeDraft } from '../draft/use-change-draft.ts';
import { hasCompression, variationsMax } from '../draft/wanted.ts';
import { usePlayground } from '../playground-context.tsx';
import { CompressionControl } from './compression-control.tsx';
import { FormatControls } from './format-controls.tsx';
import { SizeGlyph } from './size-glyph.tsx';
import { useReplacedText } from './use-replaced-text.ts';

/** Only what the model can do is there. */
export function OptionControls() {
  const t = useText(playgroundText);
  const { fitted } = usePlayground();
  const { values } = fitted;
  return (
    <>
      <SizeControl />
      <QualityControl />
      <Folded label={t.moreSettings}>
        <FormatControls />
        {hasCompression(values.format) && <CompressionControl />}
        <FidelityControl />
        <CountControls />
      </Folded>
    </>
  );
}

function SizeControl() {
  const t = useText(playgroundText);
  const { model, fitted } = usePlayground();
  const { changeWanted } = useChangeDraft();
  const replaced = useReplacedText();
  const sizes: readonly ImageSize[] = model?.capabilities?.sizes ?? ['auto'];
  return (
    <div data-field="size">
      <Field label={t.size} note={t.sizeHelp[fitted.values.size]} help={replaced('size')}>
        <Segmented
          isWide
          value={fitted.values.size}
          choices={sizes.map((size) => ({
            value: size,
            label: (
              <span className="flex items-center gap-1.5">
                <SizeGlyph size={size} />
                {t.sizes[size]}
              </span>
            ),
          }))}
          onChange={(size) => changeWanted((wanted) => ({ ...wanted, size }))}
        />
      </Field>
    </div>
  );
}

function QualityControl() {
  const t = useText(playgroundText);
  const { model, fitted } = usePlayground();
  const { changeWanted } = useChangeDraft();
  const replaced = useReplacedText();
  const qualities = model?.capabilities?.qualities ?? ['auto'];
  return (
    <div data-field="quality">
      <Field label={t.quality} help={replaced('quality')}>
        <Segmented
          isWide
          value={fitted.values.quality}
          choices={qualities.map((value) => ({
            value,
            label: <span className="-mx-1 whitespace-nowrap">{t.qualities[value]}</span>,
          }))}
          onChange={(quality) => changeWanted((wanted) => ({ ...wanted, quality }))}
        />
      </Field>
    </div>
  );
}

function FidelityControl() {
  const t = useText(playgroundText);
  const { draft, fitted } = usePlayground();
  const { changeWanted } = useChangeDraft();
  if (draft.references.length === 0) return null;
  return (
    <div data-field="input_fidelity">
      <Field label={t.fidelity} help={t.fidelityHelp}>
        <Segmented
          value={fitted.values.fidelity}
          choices={inputFidelities.map((value) => ({ value, label: t.fidelities[value] }))}
          onChange={(fidelity) => changeWanted((wanted) => ({ ...wanted, fidelity }))}
        />
      </Field>
    </div>
  );
}

function CountControls() {
  const t = useText(playgroundText);
  const { model, fitted } = usePlayground();
  const { changeWanted } = useChangeDraft();
  return (
    <div className="grid grid-cols-[repeat(auto-fit,minmax(152px,1fr))] gap-x-3 gap-y-4">
      {model?.capabilities?.partial_images !== false && (
        <div data-field="partial_images">
          <Field label={t.previews}>
            <Segmented
              value={String(fitted.values.previews)}
              choices={numbers(0, imageLimits.partialImagesMax)}
              onChange={(count) =>
                changeWanted((wanted) => ({ ...wanted, previews: Number(count) }))
              }
            />
          </Field>
        </div>
      )}
      <Field label={t.variations}>
        <Segmented
          value={String(fitted.values.variations)}
          choices={numbers(1, variationsMax)}
          onChange={(count) => changeWanted((wanted) => ({ ...wanted, variations: Number(count) }))}
        />
      </Field>
    </div>
  );
}

function numbers(from: number, to: number) {
  return Array.from({ length: to - from + 1 }, (_, index) => {
    const value = String(from + index);
    return { value, label: value };
  });
}

/** On phones the rarer controls are folded; the page is long enough. */
function Folded({ label, children }: { label: string; children: ReactNode }) {
  const isWide = useMediaQuery('(min-width: 1100px)');
  if (isWide) return children;
  return (
    <details className="group border-t border-line pt-3">
      <summary className="touch-target flex items-center text-label font-semibold">{label}</summary>
      <div className="grid gap-4 pt-3">{children}</div>
    </details>
  );
}
