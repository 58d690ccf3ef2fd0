import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { IssuedKeyView } from '../../../../shared/console/keys.ts';
import { keyListQuery } from '../../../api/keys.ts';
import { Form } from '../../../forms/form.tsx';
import { useForm } from '../../../forms/use-form.ts';
import { useStayWhile } from '../../../forms/use-stay-while.ts';
import { useFormats } from '../../../i18n/formats.tsx';
import { keysText } from '../../../i18n/keys-text.ts';
import { useText } from '../../../i18n/text.ts';
import { useSearchState } from '../../../lib/search-state.ts';
import { DetailPanel } from '../../../parts/detail-panel.tsx';
import { LeaveGuard } from '../../../parts/leave-guard.tsx';
import { paths } from '../../../paths.ts';
import { Button } from '../../../ui/button.tsx';
import { SkeletonRows } from '../../../ui/skeleton.tsx';
import { KeyFields } from './key-fields.tsx';
import { KeySecret } from './key-secret.tsx';
import { checkKeyValues, keyFormOf, newKeyValues } from './key-values.ts';
import { keysSearch } from './keys-state.ts';
import { UnseenKeyNotice } from './unseen-key-notice.tsx';
import { useIssueKey } from './use-issue-key.ts';

/** A form, and then the secret, once. */
export function NewKeyPage() {
  const t = useText(keysText);
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const [state] = useSearchState(keysSearch);
  const { zone } = useFormats();
  const keys = useQuery(keyListQuery(zone));
  // Here and nowhere else: neither the cache of answers nor the address gets to know it.
  const [issued, setIssued] = useState<IssuedKeyView | null>(null);
  const finish = () => {
    setIssued(null);
    void queryClient.invalidateQueries({ queryKey: ['keys'] });
    void navigate({ to: paths.keys().path });
  };
  return (
    <DetailPanel
      title={t.newTitle}
      list={paths.keys(state)}
      listLabel={t.title}
      rowKey=""
      startsAtField
    >
      {keys.isPending ? (
        <SkeletonRows />
      ) : (
        <NewKeyForm number={(keys.data?.items.length ?? 0) + 1} onIssued={setIssued} />
      )}
      {issued && <KeySecret issued={issued} title={t.secretTitle} onDone={finish} />}
    </DetailPanel>
  );
}

function NewKeyForm({
  number,
  onIssued,
}: {
  /** Of the name that it suggests. */
  number: number;
  onIssued: (issued: IssuedKeyView) => void;
}) {
  const t = useText(keysText);
  const { zone } = useFormats();
  const { issue, isUnsure } = useIssueKey();
  const form = useForm({
    initial: newKeyValues(t.defaultName(number)),
    check: (values) => checkKeyValues(values, t),
    submit: async (values) => {
      onIssued(await issue(keyFormOf(values, zone)));
    },
  });
  useStayWhile(form.isBusy);
  return (
    <Form form={form} aria-label={t.newTitle}>
      <KeyFields form={form} zone={zone} />
      {isUnsure && <UnseenKeyNotice />}
      <div className="flex justify-end border-t border-line pt-4">
        <Button type="submit" look="primary" busy={form.isBusy}>
          {t.submit}
        </Button>
      </div>
      <LeaveGuard isDirty={form.isDirty && !form.isBusy} />
    </Form>
  );
}
