import { X } from 'lucide-react';
import { useState } from 'react';
import { useUser } from '../../../../api/bootstrap.ts';
import { playgroundText } from '../../../../i18n/playground-text.ts';
import { useText } from '../../../../i18n/text.ts';
import { useObjectUrl } from '../../../../lib/object-url.ts';
import { useShortcuts } from '../../../../lib/shortcuts.ts';
import { Field } from '../../../../ui/field.tsx';
import { icon } from '../../../../ui/icon.ts';
import { IconButton } from '../../../../ui/icon-button.tsx';
import { Segmented } from '../../../../ui/segmented.tsx';
import { Select } from '../../../../ui/select.tsx';
import { extentOf } from '../../../../viewer/extent.ts';
import type { Finished } from '../../../../viewer/finished.ts';
import { Mat } from '../../../../viewer/mat.tsx';
import { useMatLook } from '../../../../viewer/use-mat-look.ts';
import { CompareHold } from './compare-hold.tsx';
import type { Pair } from './compare-pair.ts';
import { CompareSide } from './compare-side.tsx';
import { CompareSlider } from './compare-slider.tsx';
import { useCompareWith } from './use-compare-with.ts';

const modes = ['slider', 'side', 'hold'] as const;
type Mode = (typeof modes)[number];

/** A picture next to one of its references, or to another picture. */
export function CompareView({
  finished,
  image,
  onClose,
}: {
  finished: Finished;
  image: Blob;
  onClose: () => void;
}) {
  const t = useText(playgroundText).compare;
  const [mode, setMode] = useState<Mode>('slider');
  const { preferences } = useUser();
  useShortcuts({ Escape: onClose }, preferences.shortcuts);
  const [look] = useMatLook();
  const { choices, chosen, choose, other } = useCompareWith(finished);
  const url = useObjectUrl(image);
  const otherUrl = useObjectUrl(other);
  const pair: Pair = { url, otherUrl, ...extentOf(finished.used.size) };
  return (
    <div role="group" aria-label={t.title} className="flex min-h-0 flex-1 flex-col">
      <div className="flex flex-wrap items-center gap-3 border-b border-line bg-surface px-4 py-2">
        {choices.length > 0 && (
          <Field label={t.with} isLabelHidden className="w-56 max-sm:w-full">
            <Select value={chosen} choices={choices} onChange={choose} />
          </Field>
        )}
        <Segmented
          label={t.mode}
          value={mode}
          choices={modes.map((value) => ({ value, label: t.modes[value] }))}
          onChange={setMode}
        />
        <span className="flex-1" />
        <IconButton label={t.stop} icon={<X {...icon} />} onClick={onClose} />
      </div>
      <Mat look={look}>
        {choices.length === 0 ? (
          <p className="px-6 text-center text-text-2">{t.nothing}</p>
        ) : (
          <Compared mode={mode} pair={pair} />
        )}
      </Mat>
    </div>
  );
}

function Compared({ mode, pair }: { mode: Mode; pair: Pair }) {
  switch (mode) {
    case 'slider':
      return <CompareSlider pair={pair} />;
    case 'side':
      return <CompareSide pair={pair} />;
    case 'hold':
      return <CompareHold pair={pair} />;
  }
}
