import {
  Code,
  Columns2,
  Copy,
  Download,
  Ellipsis,
  ImagePlus,
  RotateCcw,
  Shuffle,
  SquareDashedMousePointer,
  Star,
} from 'lucide-react';
import { Suspense, useState } from 'react';
import { useUser } from '../../../../api/bootstrap.ts';
import { playgroundText } from '../../../../i18n/playground-text.ts';
import { useText } from '../../../../i18n/text.ts';
import { useShortcuts } from '../../../../lib/shortcuts.ts';
import { lazyPart } from '../../../../parts/lazy-part.tsx';
import { Button } from '../../../../ui/button.tsx';
import { icon } from '../../../../ui/icon.ts';
import { IconButton } from '../../../../ui/icon-button.tsx';
import { Menu } from '../../../../ui/menu.tsx';
import { singleClick } from '../../../../ui/single-click.ts';
import type { Finished } from '../../../../viewer/finished.ts';
import { useFinishedActions } from './use-finished-actions.ts';

const CodeDialog = lazyPart(async () => (await import('./code-dialog.tsx')).CodeDialog, 'over');

/** Each with its key; those that are used most have a word as well. */
export function FinishedActions({
  finished,
  image,
  isGone,
  onCompare,
}: {
  finished: Finished;
  image: Blob | null;
  isGone: boolean;
  onCompare: () => void;
}) {
  const { actions: t, viewer } = useText(playgroundText);
  const { preferences } = useUser();
  const actions = useFinishedActions(finished, image);
  const [hasCode, setCode] = useState(false);
  const isStarred = finished.run?.isStarred ?? false;
  useShortcuts(
    {
      d: actions.download,
      c: actions.copy,
      e: actions.useAsReference,
      ...(actions.editMask ? { m: actions.editMask } : {}),
      r: actions.runAgain,
      v: actions.vary,
      '=': onCompare,
      '.': actions.toggleStar,
      Delete: actions.remove,
    },
    preferences.shortcuts,
  );
  return (
    <div role="toolbar" aria-label={t.label} className="flex flex-wrap items-center gap-1">
      <Button
        size="small"
        className="min-h-8 px-2.5"
        icon={<Download {...icon} />}
        disabledReason={isGone ? viewer.gone : null}
        onClick={actions.download}
      >
        {t.download}
      </Button>
      <Button
        size="small"
        className="min-h-8 px-2.5"
        icon={<ImagePlus {...icon} />}
        disabledReason={isGone ? viewer.gone : null}
        onClick={singleClick(actions.useAsReference)}
      >
        {t.reference}
      </Button>
      <Button
        size="small"
        className="min-h-8 px-2.5"
        icon={<RotateCcw {...icon} />}
        onClick={actions.runAgain}
        disabledReason={actions.againBlocked}
      >
        {actions.againPrice === null ? t.again : t.againFor(actions.againPrice)}
      </Button>
      <span className="flex-1 max-sm:hidden" />
      <span className="flex flex-wrap items-center">
        {actions.editMask && (
          <IconButton
            label={t.mask}
            icon={<SquareDashedMousePointer {...icon} />}
            onClick={actions.editMask}
          />
        )}
        <IconButton label={t.vary} icon={<Shuffle {...icon} />} onClick={actions.vary} />
        <IconButton label={t.copy} icon={<Copy {...icon} />} onClick={actions.copy} />
        <span data-field="compare" className="flex">
          <IconButton label={t.compare} icon={<Columns2 {...icon} />} onClick={onCompare} />
        </span>
        <IconButton label={t.code} icon={<Code {...icon} />} onClick={() => setCode(true)} />
        <IconButton
          label={isStarred ? t.unstar : t.star}
          aria-pressed={isStarred}
          // What is not in the gallery (yet) cannot be marked there.
          aria-disabled={finished.run === null || undefined}
          icon={<Star {...icon} className={isStarred ? 'fill-current' : ''} />}
          onClick={actions.toggleStar}
        />
        <Menu
          side="top"
          trigger={<IconButton label={t.more} icon={<Ellipsis {...icon} />} />}
          items={[
            { label: t.copySettings, onSelect: actions.copySettings },
            { kind: 'separator' },
            { label: t.delete, onSelect: actions.remove, isDanger: true },
          ]}
        />
      </span>
      {hasCode && (
        <Suspense>
          <CodeDialog finished={finished} onClose={() => setCode(false)} />
        </Suspense>
      )}
    </div>
  );
}
