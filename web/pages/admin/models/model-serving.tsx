import { X } from 'lucide-react';
import { useAdminChange } from '../../../api/admin-change.ts';
import type { ModelDetail } from '../../../api/admin-models.ts';
import { unmapModel } from '../../../api/admin-upstreams.ts';
import { adminCommonText } from '../../../i18n/admin-common-text.ts';
import { adminModelsText } from '../../../i18n/admin-models-text.ts';
import { useText } from '../../../i18n/text.ts';
import { ErrorState } from '../../../parts/error-state.tsx';
import { paths } from '../../../paths.ts';
import { FactSection } from '../../../ui/facts.tsx';
import { icon } from '../../../ui/icon.ts';
import { IconButton } from '../../../ui/icon-button.tsx';
import { Link } from '../../../ui/link.tsx';
import { Pill } from '../../../ui/pill.tsx';
import { singleClick } from '../../../ui/single-click.ts';
import { useFocusInPlace } from '../../../ui/use-focus-in-place.ts';
import { SelectUpstream } from './select-upstream.tsx';

type Selection = ModelDetail['selections'][number];

/** The second condition: which entries of which lists make its images. */
export function ModelServing({ model: { id, selections } }: { model: ModelDetail }) {
  const t = useText(adminModelsText);
  const { changeFailed } = useText(adminCommonText);
  const removal = useAdminChange(({ upstream_id: upstream, upstream_model }: Selection) =>
    unmapModel(upstream, { model: id, upstream_model }),
  );
  return (
    <FactSection title={t.servedBy}>
      {selections.length === 0 && <p className="text-text-2">{t.notServed}</p>}
      <ul className="grid gap-px">
        {selections.map((selection) => (
          <SelectionRow
            key={`${selection.upstream_id} ${selection.upstream_model}`}
            selection={selection}
            onRemove={() => removal.mutate(selection)}
          />
        ))}
      </ul>
      {removal.error && <ErrorState error={removal.error} title={changeFailed} />}
      <SelectUpstream model={id} selections={selections} />
    </FactSection>
  );
}

function SelectionRow({ selection, onRemove }: { selection: Selection; onRemove: () => void }) {
  const t = useText(adminModelsText);
  const row = useFocusInPlace<HTMLLIElement>();
  return (
    <li ref={row} className="flex flex-wrap items-center gap-x-3 gap-y-0.5">
      <Link
        to={paths.upstream(selection.upstream_id, { tab: 'models' })}
        className="wrap-anywhere"
        translate="no"
      >
        {selection.upstream}
      </Link>
      <code className="text-label break-all" translate="no">
        {selection.upstream_model}
      </code>
      <SelectionNotes selection={selection} />
      <IconButton
        size="small"
        className="ml-auto"
        label={t.unselect(selection.upstream)}
        icon={<X {...icon} />}
        onClick={singleClick(onRemove)}
      />
    </li>
  );
}

function SelectionNotes({ selection: { serves, strict_mask, extra } }: { selection: Selection }) {
  const t = useText(adminModelsText);
  const extras = Object.keys(extra).length;
  return (
    <span className="flex flex-wrap gap-1.5">
      <Pill tone={serves ? 'ok' : 'neutral'}>{serves ? t.serves : t.servesNot}</Pill>
      {strict_mask && <Pill>{t.strictMask}</Pill>}
      {extras > 0 && <Pill>{t.withExtra(extras)}</Pill>}
    </span>
  );
}
