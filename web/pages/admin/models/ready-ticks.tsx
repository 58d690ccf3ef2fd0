import { Check, CircleDashed } from 'lucide-react';
import type { AdminModel } from '../../../../shared/console/admin-models.ts';
import { adminCommonText } from '../../../i18n/admin-common-text.ts';
import { adminModelsText } from '../../../i18n/admin-models-text.ts';
import { useText } from '../../../i18n/text.ts';
import { classes } from '../../../ui/classes.ts';
import { icon } from '../../../ui/icon.ts';

/** The two conditions of a model, so that the half that is missing is seen. */
export function ReadyTicks({
  model,
  isStacked = false,
}: {
  model: AdminModel;
  /** One below the other where there is room for both lines. */
  isStacked?: boolean;
}) {
  const t = useText(adminModelsText);
  const { missingHalf } = useText(adminCommonText);
  const unpriced = model.price === null ? missingHalf.price : missingHalf.enabled;
  return (
    <span
      className={classes('flex flex-wrap gap-x-4 gap-y-0.5', isStacked && 'text-label sm:flex-col')}
    >
      <Tick isThere={model.is_priced} words={model.is_priced ? t.priced : unpriced} />
      <Tick isThere={model.is_served} words={model.is_served ? t.served : missingHalf.upstream} />
    </span>
  );
}

function Tick({ isThere, words }: { isThere: boolean; words: string }) {
  const Picture = isThere ? Check : CircleDashed;
  return (
    <span
      className={classes(
        'inline-flex items-center gap-1.5 whitespace-nowrap',
        isThere ? 'text-text-2' : 'text-warn',
      )}
    >
      <Picture {...icon} className={isThere ? 'text-ok' : ''} aria-hidden />
      {words}
    </span>
  );
}
