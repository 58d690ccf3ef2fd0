import type { OverviewView } from '../../../../shared/console/admin-overview.ts';
import { adminOverviewText } from '../../../i18n/admin-overview-text.ts';
import { useFormats } from '../../../i18n/formats.tsx';
import { requestText } from '../../../i18n/request-text.ts';
import { useText } from '../../../i18n/text.ts';
import { Section } from '../../../parts/section.tsx';
import { paths } from '../../../paths.ts';
import { Link } from '../../../ui/link.tsx';
import { useDaysOf } from './use-days-of.ts';

/** Why requests failed, the most frequent first. */
export function CodeList({ overview }: { overview: OverviewView }) {
  const t = useText(adminOverviewText);
  const words = useText(requestText);
  const formats = useFormats();
  const days = useDaysOf(overview);
  const { codes } = overview;
  const most = Math.max(1, ...codes.map(({ requests }) => requests));
  return (
    <Section title={t.codes}>
      {codes.length === 0 ? (
        <p className="text-text-2">{t.codesEmpty}</p>
      ) : (
        <ul className="grid gap-2.5 rounded-control border border-line bg-surface px-4 py-3">
          {codes.map(({ code, requests }) => (
            <li key={code} className="grid gap-1">
              <span className="flex items-baseline justify-between gap-3">
                <Link to={paths.log({ ...days, code })}>{words.codes[code]}</Link>
                <span className="tabular">{formats.number(requests)}</span>
              </span>
              <svg aria-hidden width="100%" height={3} className="block rounded-small">
                <rect width={`${(requests / most) * 100}%`} height={3} className="fill-text-3" />
              </svg>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}
