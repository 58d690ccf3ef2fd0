import type { UsageList } from '../../../../shared/console/usage.ts';
import { useFormats } from '../../../i18n/formats.tsx';
import { useText } from '../../../i18n/text.ts';
import { usageText } from '../../../i18n/usage-text.ts';
import { useSearchState } from '../../../lib/search-state.ts';
import { paths } from '../../../paths.ts';
import { Money } from '../../../ui/money.tsx';
import { StatStrip } from '../../../ui/stat-strip.tsx';
import { usageSearch } from './usage-state.ts';

/** Of everything that matches, each number a link to the requests it counts. */
export function UsageSummary({ totals }: { totals: UsageList['totals'] }) {
  const t = useText(usageText);
  const formats = useFormats();
  const [state] = useSearchState(usageSearch);
  const { spend, charged, refunded, requests, images, not_billed: notBilled } = totals;
  const to = (status?: string) =>
    paths.usage({ ...state, status, code: undefined, cursor: undefined });
  return (
    <StatStrip
      label={t.allMatching}
      stats={[
        {
          label: t.spend,
          value: <Money amount={spend} as="total" />,
          to: to('succeeded'),
          ...(refunded.micros === 0
            ? {}
            : { note: t.refundedOf(formats.total(charged), formats.total(refunded)) }),
        },
        { label: t.requests, value: formats.number(requests), to: to() },
        { label: t.imagesBilled, value: formats.number(images), to: to('succeeded') },
        {
          label: t.notBilled,
          value: formats.number(notBilled),
          note: t.notBilledNote,
          to: to('failed,canceled'),
        },
      ]}
    />
  );
}
