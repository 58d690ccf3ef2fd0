import type { UsageDetail } from '../../../../shared/console/usage.ts';
import type { usage } from '../../../i18n/en/usage.ts';
import { type Formats, useFormats } from '../../../i18n/formats.tsx';
import { useText } from '../../../i18n/text.ts';
import { usageText } from '../../../i18n/usage-text.ts';
import { type Fact, FactSection, Facts } from '../../../ui/facts.tsx';

/** What was asked for, beside what was made of it. */
export function RequestForm({ record }: { record: UsageDetail }) {
  const t = useText(usageText);
  const formats = useFormats();
  const { asked, used } = record;
  if (!asked && !used) return null;
  const rows = [
    { name: t.size, asked: asked?.size, used: used?.size },
    { name: t.quality, asked: asked?.quality, used: used?.quality },
    { name: t.format, asked: asked?.output_format, used: used?.output_format },
  ];
  return (
    <FactSection title={t.form}>
      <table className="tabular w-full text-left">
        <thead className="text-label text-text-2">
          <tr>
            <td className="w-32" />
            <th scope="col" className="font-normal">
              {t.asked}
            </th>
            <th scope="col" className="font-normal">
              {t.used}
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.name}>
              <th scope="row" className="py-0.5 font-normal text-text-2">
                {row.name}
              </th>
              <td translate="no">{row.asked ?? '–'}</td>
              <td translate="no" className={row.used === row.asked ? '' : 'font-semibold'}>
                {row.used ?? '–'}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {asked && <Facts facts={restOf(asked, { stream: record.stream, t, formats })} />}
    </FactSection>
  );
}

function restOf(
  asked: NonNullable<UsageDetail['asked']>,
  { stream, t, formats }: { stream: boolean; t: typeof usage; formats: Formats },
): readonly Fact[] {
  const { output_compression: compression, background, reference_images: references } = asked;
  return [
    { label: t.compression, value: compression === null ? null : formats.number(compression) },
    { label: t.background, value: <span translate="no">{background}</span> },
    { label: t.stream, value: stream ? t.streamed(asked.partial_images) : t.no },
    {
      label: t.references,
      value:
        references === 0 ? null : asked.mask ? t.withMask(references) : formats.number(references),
    },
  ];
}
