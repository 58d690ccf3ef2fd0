import { useState } from 'react';
import { useAfterAdminChange } from '../../../../api/admin-change.ts';
import {
  editUpstream,
  type UpstreamDetail,
  type UpstreamPatch,
} from '../../../../api/admin-upstreams.ts';
import { Form } from '../../../../forms/form.tsx';
import { useForm } from '../../../../forms/use-form.ts';
import { adminCommonText } from '../../../../i18n/admin-common-text.ts';
import { adminUpstreamsText } from '../../../../i18n/admin-upstreams-text.ts';
import { useText } from '../../../../i18n/text.ts';
import { LeaveGuard } from '../../../../parts/leave-guard.tsx';
import { ResultLine } from '../../../../parts/result-line.tsx';
import { Section } from '../../../../parts/section.tsx';
import { Button } from '../../../../ui/button.tsx';
import { Field } from '../../../../ui/field.tsx';
import { NumberInput } from '../../../../ui/number-input.tsx';

/** In the order of the form, with what each is called in it. */
const names = ['queue_max', 'queue_wait_ms', 'first_byte_ms', 'idle_ms'] as const;
type LimitName = (typeof names)[number];

const wholeNumber = /^\d{1,9}$/;

/** How much and how long. */
export function LimitsForm({ upstream }: { upstream: UpstreamDetail }) {
  const [isSaved, setSaved] = useState(false);
  const t = useText(adminUpstreamsText);
  const words = useText(adminCommonText);
  const refresh = useAfterAdminChange();
  const form = useForm({
    initial: valuesOf(upstream),
    check: (values) => ({
      concurrency_max:
        values.concurrency_max === '' || wholeNumber.test(values.concurrency_max)
          ? null
          : words.badNumber,
      ...Object.fromEntries(
        names.map((name) => [name, wholeNumber.test(values[name]) ? null : words.badNumber]),
      ),
    }),
    submit: async (_values, changes) => {
      setSaved(false);
      const { upstream: edited } = await editUpstream(upstream.id, { limits: limitsOf(changes) });
      await refresh();
      setSaved(true);
      return valuesOf(edited);
    },
  });
  const labels = {
    queue_max: t.queue,
    queue_wait_ms: t.queueWait,
    first_byte_ms: t.firstByte,
    idle_ms: t.idle,
  } satisfies Record<LimitName, string>;
  return (
    <Section title={t.limits}>
      <Form form={form} aria-label={t.limits}>
        <Field label={t.concurrency} help={t.concurrencyHelp} error={form.errors.concurrency_max}>
          <NumberInput {...form.input('concurrency_max')} />
        </Field>
        <div className="grid gap-4 sm:grid-cols-2">
          {names.map((name) => (
            <Field key={name} label={labels[name]} error={form.errors[name]}>
              <NumberInput
                {...form.input(name)}
                {...(name === 'queue_max' ? {} : { unit: t.ms })}
              />
            </Field>
          ))}
        </div>
        <div className="flex items-center gap-3">
          <Button type="submit" busy={form.isBusy}>
            {words.save}
          </Button>
          <ResultLine>{isSaved && !form.isDirty ? words.saved : null}</ResultLine>
        </div>
      </Form>
      <LeaveGuard isDirty={form.isDirty && !form.isBusy} />
    </Section>
  );
}

type Values = ReturnType<typeof valuesOf>;

function valuesOf({ limits }: UpstreamDetail) {
  return {
    concurrency_max: limits.concurrency_max === null ? '' : String(limits.concurrency_max),
    queue_max: String(limits.queue_max),
    queue_wait_ms: String(limits.queue_wait_ms),
    first_byte_ms: String(limits.first_byte_ms),
    idle_ms: String(limits.idle_ms),
  };
}

/** An empty one is none. */
function limitsOf(changes: Partial<Values>): UpstreamPatch['limits'] {
  return Object.fromEntries(
    Object.entries(changes).map(([name, text]) => [name, text === '' ? null : Number(text)]),
  );
}
