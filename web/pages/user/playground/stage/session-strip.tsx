import { useQuery } from '@tanstack/react-query';
import { CircleAlert, Clock, Star } from 'lucide-react';
import { beginningOf } from '../../../../../shared/beginning.ts';
import { thumbQuery } from '../../../../gallery/use-gallery.ts';
import { playgroundText } from '../../../../i18n/playground-text.ts';
import { useText } from '../../../../i18n/text.ts';
import type { Job } from '../../../../jobs/job.ts';
import { useLastKnown } from '../../../../lib/last-known.ts';
import { useObjectUrl } from '../../../../lib/object-url.ts';
import { classes } from '../../../../ui/classes.ts';
import { icon } from '../../../../ui/icon.ts';
import { useChangeDraft } from '../draft/use-change-draft.ts';
import { usePlayground } from '../playground-context.tsx';
import type { StageItem } from './stage-items.ts';

/** The newest at the left. */
export function SessionStrip({
  items,
  shownId,
}: {
  items: readonly StageItem[];
  shownId: string | null;
}) {
  const t = useText(playgroundText);
  const { change } = useChangeDraft();
  if (items.length === 0) return null;
  return (
    <nav aria-label={t.strip} className="shrink-0 border-t border-line bg-bg">
      <ul className="flex gap-2 overflow-x-auto p-2">
        {items.map((item) => (
          <li key={item.id} className="shrink-0">
            <button
              type="button"
              aria-current={item.id === shownId || undefined}
              aria-label={labelOf(item, t)}
              onClick={() => change(() => ({ shown: { kind: item.kind, id: item.id } }))}
              className="relative grid size-18 place-items-center overflow-hidden rounded-small border border-line bg-mat aria-[current]:border-accent aria-[current]:outline-1 aria-[current]:outline-accent focus-visible:outline-2 focus-visible:-outline-offset-2"
            >
              <Picture item={item} />
            </button>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function labelOf(
  item: StageItem,
  t: {
    state: Record<Job['state']['kind'], string>;
    stripItem: (state: string, prompt: string) => string;
  },
) {
  const state = item.kind === 'job' ? item.job.state.kind : 'done';
  const { prompt } = item.kind === 'job' ? item.job.order.fields : item.run.asked;
  return t.stripItem(t.state[state], beginningOf(prompt, 80));
}

function Picture({ item }: { item: StageItem }) {
  const { gallery } = usePlayground();
  const { run } = item;
  const { data: thumb = null } = useQuery(thumbQuery(gallery, run));
  const job = item.kind === 'job' ? item.job : null;
  const inHand =
    job?.state.kind === 'done' ? job.state.result.image : (job?.preview?.image ?? null);
  const url = useObjectUrl(useLastKnown(item.id, thumb ?? inHand));
  if (url) {
    return (
      <>
        <img src={url} alt="" className="absolute inset-0 size-full object-contain" />
        {run?.isStarred && (
          <Star {...icon} size={12} className="absolute right-1 bottom-1 fill-current text-text" />
        )}
      </>
    );
  }
  const isBad = job?.state.kind === 'failed' || job?.state.kind === 'image_lost';
  const Sign = isBad ? CircleAlert : Clock;
  return <Sign {...icon} className={classes(isBad ? 'text-bad' : 'text-text-3')} />;
}
