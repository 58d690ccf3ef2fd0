import { useAdminChange } from '../../../api/admin-change.ts';
import { enableModel, type ModelDetail } from '../../../api/admin-models.ts';
import { adminCommonText } from '../../../i18n/admin-common-text.ts';
import { adminModelsText } from '../../../i18n/admin-models-text.ts';
import { useText } from '../../../i18n/text.ts';
import { ErrorState } from '../../../parts/error-state.tsx';
import { Switch } from '../../../ui/switch.tsx';

export function ModelEnabling({ model: { id, price, enabled } }: { model: ModelDetail }) {
  const t = useText(adminModelsText);
  const { changeFailed } = useText(adminCommonText);
  const change = useAdminChange((wanted: boolean) => enableModel(id, wanted));
  return (
    <div className="grid gap-2 border-t border-line pt-4">
      <Switch
        label={t.enabledLabel}
        help={t.enabledHelp}
        checked={change.isPending ? change.variables : enabled}
        disabledReason={price === null ? t.needsPriceFirst : null}
        onChange={(wanted) => change.mutate(wanted)}
      />
      {change.error && <ErrorState error={change.error} title={changeFailed} />}
    </div>
  );
}
