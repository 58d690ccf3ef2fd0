import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { UpstreamKind } from '../../../../shared/console/admin-upstreams.ts';
import { upstreamKindsQuery } from '../../../api/admin-upstreams.ts';
import { adminUpstreamsText } from '../../../i18n/admin-upstreams-text.ts';
import { useText } from '../../../i18n/text.ts';
import { ErrorState } from '../../../parts/error-state.tsx';
import { Page } from '../../../parts/page.tsx';
import { paths } from '../../../paths.ts';
import { classes } from '../../../ui/classes.ts';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { useKindText } from './connection/use-kind-text.ts';
import { NewUpstreamForm } from './new-upstream-form.tsx';

export function NewUpstreamPage() {
  const t = useText(adminUpstreamsText);
  const { data, error, refetch } = useQuery(upstreamKindsQuery);
  return (
    <Page title={t.newTitle} back={{ to: paths.upstreams(), label: t.title }} width="reading">
      {error && <ErrorState error={error} title={t.listFailed} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton className="h-60 rounded-control" />}
      {data && <Chosen kinds={data} />}
    </Page>
  );
}

/** The most wanted first, then those that a later version adds. */
const order = ['openai-images', 'openai-responses', 'ai-sdk', 'comfyui', 'a1111', 'sandbox'];

function Chosen({ kinds }: { kinds: readonly UpstreamKind[] }) {
  const t = useText(adminUpstreamsText);
  const [name, setName] = useState(order[0]);
  const sorted = kinds.toSorted((one, other) => placeOf(one) - placeOf(other));
  const kind = sorted.find((each) => each.kind === name) ?? sorted[0];
  if (!kind) return null;
  return (
    <>
      <fieldset className="grid gap-2">
        <legend className="mb-2 text-label font-semibold">{t.chooseKind}</legend>
        <div className="grid gap-2 sm:grid-cols-2">
          {sorted.map((each) => (
            <KindChoice
              key={each.kind}
              kind={each}
              isChosen={each === kind}
              onChoose={() => setName(each.kind)}
            />
          ))}
        </div>
      </fieldset>
      {/* Another kind has other settings: the form begins anew. */}
      <NewUpstreamForm key={kind.kind} kind={kind} />
    </>
  );
}

function placeOf({ kind }: UpstreamKind): number {
  const at = order.indexOf(kind);
  return at === -1 ? order.length : at;
}

function KindChoice({
  kind,
  isChosen,
  onChoose,
}: {
  kind: UpstreamKind;
  isChosen: boolean;
  onChoose: () => void;
}) {
  const { title, description } = useKindText(kind);
  return (
    <label
      className={classes(
        'fade flex cursor-pointer items-start gap-2.5 rounded-control border bg-surface px-3.5 py-2.5',
        'has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent',
        isChosen ? 'border-ink' : 'border-line hover:bg-hover',
      )}
    >
      <input
        type="radio"
        name="kind"
        className="check mt-[3px] outline-none"
        checked={isChosen}
        onChange={onChoose}
      />
      <span className="min-w-0">
        <span className="font-semibold">{title}</span>
        <span className="block text-label text-text-2">{description}</span>
      </span>
    </label>
  );
}
