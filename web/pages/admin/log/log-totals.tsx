import type { LogList } from '../../../api/admin-log.ts';
import { useFormats } from '../../../i18n/formats.tsx';
import { useText } from '../../../i18n/text.ts';
import { usageText } from '../../../i18n/usage-text.ts';
import { StatStrip } from '../../../ui/stat-strip.tsx';

/** Of all that match, not only of this page. */
export function LogTotals({ totals }: { totals: LogList['totals'] }) {
  const t = useText(usageText);
  const formats = useFormats();
  const { spend, charged, refunded, requests, images, not_billed: notBilled } = totals;
  return (
    <StatStrip
      label={t.allMatching}
      stats={[
        {
          label: t.spend,
          value: formats.total(spend),
          note:
            refunded.micros === 0
              ? null
              : t.refundedOf(formats.total(charged), formats.total(refunded)),
        },
        { label: t.requests, value: formats.number(requests) },
        { label: t.imagesBilled, value: formats.number(images) },
        { label: t.notBilled, value: formats.number(notBilled), note: t.notBilledNote },
      ]}
    />
  );
}
