import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import type { KeyView } from '../../../../shared/console/keys.ts';
import { editKey, keyQuery } from '../../../api/keys.ts';
import { Form } from '../../../forms/form.tsx';
import { useForm } from '../../../forms/use-form.ts';
import { useFormats } from '../../../i18n/formats.tsx';
import { keysText } from '../../../i18n/keys-text.ts';
import { useText } from '../../../i18n/text.ts';
import { useSearchState } from '../../../lib/search-state.ts';
import { DetailPanel } from '../../../parts/detail-panel.tsx';
import { LeaveGuard } from '../../../parts/leave-guard.tsx';
import { MissingOr } from '../../../parts/missing.tsx';
import { paths } from '../../../paths.ts';
import { Button } from '../../../ui/button.tsx';
import { Facts } from '../../../ui/facts.tsx';
import { Link } from '../../../ui/link.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { SkeletonRows } from '../../../ui/skeleton.tsx';
import { Time } from '../../../ui/time.tsx';
import { useToast } from '../../../ui/toast.tsx';
import { useKeyActions } from './key-actions.tsx';
import { KeyFields } from './key-fields.tsx';
import { KeyStatus } from './key-status.tsx';
import { checkKeyValues, keyEditOf, keyValuesOf } from './key-values.ts';
import { keysSearch } from './keys-state.ts';

/** One key: what it did, and what it may do. */
export function KeyPage() {
  const t = useText(keysText);
  // The route has this parameter.
  const { id = '' }: { id?: string } = useParams({ strict: false });
  const key = useQuery(keyQuery(id));
  const { data } = key;
  const [state] = useSearchState(keysSearch);
  const list = paths.keys(state);
  return (
    <DetailPanel
      title={data?.name ?? t.key}
      list={list}
      listLabel={t.title}
      rowKey={id}
      {...(data && data.status !== 'revoked'
        ? { actions: <Actions key={data.id} apiKey={data} /> }
        : {})}
    >
      {key.isPending && <SkeletonRows />}
      {key.error && (
        <MissingOr id={id} list={{ to: list, label: t.title }} title={t.keyFailed} query={key} />
      )}
      {data && <KeyFacts apiKey={data} />}
      {data && data.status !== 'revoked' && <KeyForm key={data.id} apiKey={data} />}
    </DetailPanel>
  );
}

function Actions({ apiKey }: { apiKey: KeyView }) {
  const t = useText(keysText);
  const { toggle, rotate, revoke, dialogs } = useKeyActions(apiKey);
  return (
    <>
      <Button look="quiet" className="mr-auto text-bad!" onClick={revoke}>
        {t.revoke}
      </Button>
      <Button onClick={toggle}>{apiKey.status === 'disabled' ? t.enable : t.disable}</Button>
      <Button onClick={rotate}>{t.rotate}</Button>
      {dialogs}
    </>
  );
}

function KeyFacts({ apiKey }: { apiKey: KeyView }) {
  const t = useText(keysText);
  const formats = useFormats();
  const told = (sum: KeyView['spent']) => (sum === null ? '–' : formats.total(sum));
  const { last_used_at: lastUsed, expires_at: expires, previous_secret_until: until } = apiKey;
  return (
    <>
      <Facts
        facts={[
          {
            label: t.key,
            value: (
              <code className="text-label" translate="no">
                {apiKey.masked}
              </code>
            ),
          },
          { label: t.status, value: <KeyStatus status={apiKey.status} /> },
          {
            label: t.spent,
            value: t.spentOf(told(apiKey.spent), told(apiKey.spent_this_month)),
          },
          { label: t.lastUsed, value: lastUsed === null ? t.never : <Time at={lastUsed} /> },
          { label: t.created, value: <Time at={apiKey.created_at} /> },
          { label: t.expires, value: expires && <Time at={expires} /> },
          { label: '', value: <Link to={paths.usage({ key: apiKey.id })}>{t.usage}</Link> },
        ]}
      />
      {until !== null && <Notice tone="warn">{t.overlap(formats.time(until))}</Notice>}
    </>
  );
}

function KeyForm({ apiKey }: { apiKey: KeyView }) {
  const t = useText(keysText);
  const formats = useFormats();
  const queryClient = useQueryClient();
  const toast = useToast();
  // Whose months a limit goes by stays, once it is set.
  const zone = apiKey.limits.monthly_spend === null ? formats.zone : apiKey.limits.zone;
  const form = useForm({
    initial: keyValuesOf(apiKey),
    check: (values) => checkKeyValues(values, t),
    submit: async (values, changes) => {
      const edited = await editKey(apiKey.id, keyEditOf(values, { changes, zone }));
      queryClient.setQueryData(keyQuery(apiKey.id).queryKey, edited);
      toast({ title: t.saved });
      await queryClient.invalidateQueries({ queryKey: ['keys', 'list'] });
      return keyValuesOf(edited);
    },
  });
  return (
    <Form form={form} aria-label={t.edit} className="border-t border-line pt-5">
      <KeyFields form={form} expiresAt={apiKey.expires_at} zone={zone} />
      <div className="flex justify-end">
        <Button type="submit" look="primary" busy={form.isBusy}>
          {t.save}
        </Button>
      </div>
      <LeaveGuard isDirty={form.isDirty && !form.isBusy} />
    </Form>
  );
}
