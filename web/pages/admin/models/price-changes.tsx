import { ArrowRight } from 'lucide-react';
import type { PriceChange } from '../../../api/admin-models.ts';
import { adminModelsText } from '../../../i18n/admin-models-text.ts';
import { useFormats } from '../../../i18n/formats.tsx';
import { useText } from '../../../i18n/text.ts';
import { icon } from '../../../ui/icon.ts';
import { Money } from '../../../ui/money.tsx';
import { signedPercent } from './signed-percent.ts';

/** Old → new, with the percentage: what is agreed to. */
export function PriceChanges({ changes }: { changes: readonly PriceChange[] }) {
  const t = useText(adminModelsText);
  const { locale } = useFormats();
  const among = changes.flatMap(({ from, to }) => [to, ...(from ? [from] : [])]);
  return (
    <ul className="grid max-h-[40vh] gap-px overflow-y-auto rounded-control border border-line bg-line">
      {changes.map(({ model, from, to, percent }) => (
        <li key={model} className="grid gap-0.5 bg-surface px-4 py-2.5">
          <span className="text-label text-text-2" translate="no">
            {model}
          </span>
          <span className="flex flex-wrap items-center gap-x-2.5">
            {from && (
              <>
                <Money amount={from} as="price" among={among} className="text-text-2" />
                <ArrowRight {...icon} className="text-text-3" aria-label="→" />
              </>
            )}
            <Money amount={to} as="price" among={among} className="font-semibold" />
            <span className="tabular ml-auto text-label text-text-2">
              {percent === null
                ? t.firstPrice
                : percent === 0
                  ? t.same
                  : signedPercent(percent, locale)}
            </span>
          </span>
        </li>
      ))}
    </ul>
  );
}
