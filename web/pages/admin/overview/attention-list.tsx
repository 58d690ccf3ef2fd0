import { CircleCheck, TriangleAlert } from 'lucide-react';
import type { OverviewView } from '../../../../shared/console/admin-overview.ts';
import { adminOverviewText } from '../../../i18n/admin-overview-text.ts';
import type { adminOverview } from '../../../i18n/en/admin-overview.ts';
import { useText } from '../../../i18n/text.ts';
import { Section } from '../../../parts/section.tsx';
import { paths } from '../../../paths.ts';
import { icon } from '../../../ui/icon.ts';
import { Link } from '../../../ui/link.tsx';
import { targetOf } from '../admin-targets.ts';

type Attention = OverviewView['attention'][number];

/** Each line leads to where it can be mended. */
export function AttentionList({ attention }: { attention: readonly Attention[] }) {
  const t = useText(adminOverviewText);
  return (
    <Section title={t.attention}>
      {attention.length === 0 ? (
        <p className="flex items-center gap-2 text-text-2">
          <CircleCheck {...icon} className="text-ok" aria-hidden /> {t.attentionEmpty}
        </p>
      ) : (
        <ul className="overflow-hidden rounded-control border border-line bg-surface">
          {attention.map((each) => (
            <li
              key={`${each.kind} ${each.id}`}
              className="flex items-baseline gap-3 px-4 py-2 not-first:border-t not-first:border-line"
            >
              <TriangleAlert
                {...icon}
                className="relative top-0.5 shrink-0 text-warn"
                aria-hidden
              />
              <p className="min-w-0">
                <Link to={targetOf(each.link) ?? paths.admin()} translate="no">
                  {each.name}
                </Link>{' '}
                {wordsOf(each, t)}
              </p>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

function wordsOf({ kind, count }: Attention, { attentionOf }: typeof adminOverview): string {
  const words = attentionOf[kind];
  return typeof words === 'string' ? words : words(count);
}
