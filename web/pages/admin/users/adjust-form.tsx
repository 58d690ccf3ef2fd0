import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { AdminUser } from '../../../../shared/console/admin-users.ts';
import { parseAmount } from '../../../../shared/money.ts';
import { useAfterAdminChange } from '../../../api/admin-change.ts';
import { moneyPreviewQuery, type OrderedMoney, orderMoney } from '../../../api/admin-users.ts';
import { ApiError, toApiError } from '../../../api/api-error.ts';
import { Form } from '../../../forms/form.tsx';
import { useForm } from '../../../forms/use-form.ts';
import type { Place } from '../../../forms/use-leave-guard.ts';
import { adminCommonText } from '../../../i18n/admin-common-text.ts';
import { adminUsersText } from '../../../i18n/admin-users-text.ts';
import { useFormats } from '../../../i18n/formats.tsx';
import { useText } from '../../../i18n/text.ts';
import { uiText } from '../../../i18n/ui-text.ts';
import { randomId } from '../../../lib/random-id.ts';
import { readSearch } from '../../../lib/search-state.ts';
import { LeaveGuard } from '../../../parts/leave-guard.tsx';
import { Section } from '../../../parts/section.tsx';
import { useErrorWords } from '../../../parts/use-error-words.ts';
import { Button } from '../../../ui/button.tsx';
import { Field } from '../../../ui/field.tsx';
import { MoneyInput } from '../../../ui/money-input.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { Segmented } from '../../../ui/segmented.tsx';
import { TextInput } from '../../../ui/text-input.tsx';
import { userSearch } from './user-state.ts';

const changes = ['add', 'deduct', 'set'] as const;
type Change = (typeof changes)[number];

interface Values {
  change: Change;
  amount: string;
  reason: string;
}

const beginning: Values = { change: 'add', amount: '', reason: '' };

/** Money in or out, once for each time the form is filled in, and never without a reason. */
export function AdjustForm({ user }: { user: AdminUser }) {
  const [made, setMade] = useState<OrderedMoney | null>(null);
  const [round, setRound] = useState(0);
  return (
    <OneChange
      // The next change is another order.
      key={round}
      user={user}
      made={made}
      onMade={(answer) => {
        setMade(answer);
        setRound(round + 1);
      }}
    />
  );
}

function OneChange({
  user,
  made,
  onMade,
}: {
  user: AdminUser;
  made: OrderedMoney | null;
  onMade: (answer: OrderedMoney) => void;
}) {
  const t = useText(adminUsersText);
  const words = useText(adminCommonText);
  const refresh = useAfterAdminChange();
  // Who sends the form twice sends the same order twice.
  const reference = useRef(randomId());
  const form = useForm({
    initial: beginning,
    check: ({ change, amount, reason }) => ({
      amount: isGood(amount, change) ? null : words.badAmount,
      reason: reason.trim() === '' ? words.missing : null,
    }),
    submit: async ({ change, amount, reason }) => {
      const order = { change, amount: amount.trim(), reason: reason.trim() };
      const ordering = orderMoney(user.id, { ...order, reference: reference.current });
      const answer = await ordering.catch((thrown: unknown) => {
        // Without an answer it may have been made all the same: the ledger below says so.
        void refresh();
        const error = toApiError(thrown);
        if (error.param !== 'reference') throw error;
        // So it was, and this is another one.
        reference.current = randomId();
        throw new ApiError({ ...error, message: t.otherMade });
      });
      await refresh();
      onMade(answer);
    },
  });
  const { change, amount } = form.values;
  return (
    <Section title={t.adjust} text={t.adjustText}>
      <Form
        form={form}
        aria-label={t.adjust}
        className="rounded-control border border-line bg-surface p-4"
      >
        <div className="grid items-start gap-4 lg:grid-cols-[auto_200px_minmax(0,1fr)]">
          <Field label={t.change}>
            <Segmented
              value={change}
              choices={changes.map((value) => ({ value, label: t.changes[value] }))}
              onChange={(value) => form.set('change', value)}
            />
          </Field>
          <Field label={change === 'set' ? t.newBalance : t.amount} error={form.errors.amount}>
            <MoneyInput {...form.input('amount')} />
          </Field>
          <Field label={t.reason} help={t.reasonHelp} error={form.errors.reason}>
            <TextInput {...form.input('reason')} autoComplete="off" />
          </Field>
        </div>
        <div className="flex flex-wrap items-center justify-between gap-3">
          <Preview userId={user.id} change={change} amount={amount} />
          <Button type="submit" look="primary" busy={form.isBusy}>
            {useConfirmWords(change, amount)}
          </Button>
        </div>
      </Form>
      {/* The ledger below it changes the address as well. */}
      <LeaveGuard isDirty={form.isDirty && !form.isBusy} isKept={isSameTab} />
      <div role="status" className="empty:hidden">
        {made && <Made made={made} />}
      </div>
    </Section>
  );
}

/** Where the form still is. */
function isSameTab(from: Place, to: Place): boolean {
  const [before, after] = [from, to].map(({ search }) => readSearch(userSearch, search).tab);
  return from.pathname === to.pathname && before === after;
}

/** The button names what it does. */
function useConfirmWords(change: Change, amount: string): string {
  const t = useText(adminUsersText);
  const formats = useFormats();
  const micros = parseAmount(amount);
  if (micros === null || !isGood(amount, change)) return t.confirmEmpty[change];
  return t.confirmAdjust[change](formats.total({ micros }));
}

function Preview({ userId, change, amount }: { userId: string; change: Change; amount: string }) {
  const t = useText(adminUsersText);
  const formats = useFormats();
  const wordsOf = useErrorWords();
  const isAsked = isGood(amount, change);
  const preview = useQuery({
    ...moneyPreviewQuery(userId, { change, amount: amount.trim() }),
    enabled: isAsked,
  });
  const { data, error } = preview;
  return (
    <output aria-label={t.preview} className="tabular min-h-5.5">
      {!isAsked && <span className="text-text-3">{t.previewEmpty}</span>}
      {isAsked && data && t.previewOf(formats.total(data.before), formats.total(data.after))}
      {isAsked && error && <span className="text-bad">{wordsOf(toApiError(error))}</span>}
    </output>
  );
}

function Made({ made: { entry, is_repeat: isRepeat, user } }: { made: OrderedMoney }) {
  const t = useText(adminUsersText);
  const { sentences } = useText(uiText);
  const formats = useFormats();
  const made = t.entryMade(formats.change(entry.amount), formats.total(user.balance));
  return (
    <Notice tone="ok">
      <p>
        {sentences(isRepeat ? [t.entryRepeated, made] : [made])}{' '}
        <code translate="no">{entry.id}</code>
      </p>
    </Notice>
  );
}

function isGood(text: string, change: Change): boolean {
  const amount = parseAmount(text);
  if (amount === null) return false;
  return change === 'set' ? amount >= 0 : amount > 0;
}
