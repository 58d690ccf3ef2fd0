import type { ReactNode } from 'react';
import { Form, type FormProps } from '../../../forms/form.tsx';
import { setupText } from '../../../i18n/setup-text.ts';
import { useText } from '../../../i18n/text.ts';
import { Button } from '../../../ui/button.tsx';
import type { StepProps } from './step-props.ts';
import { StepWays } from './step-ways.tsx';

/** A step: what it is about, its fields, and the ways on and back. */
export function StepForm({
  form,
  lead,
  submit,
  later,
  step,
  children,
}: {
  form: FormProps['form'] & { isBusy: boolean };
  lead: string;
  submit: string;
  /** Where it can be changed later. */
  later?: string;
  step: StepProps;
  children: ReactNode;
}) {
  const t = useText(setupText);
  return (
    <Form form={form} className="gap-5">
      <p className="text-text-2">{lead}</p>
      {children}
      <StepWays step={step}>
        <Button type="submit" look="primary" busy={form.isBusy} className="ml-auto">
          {submit}
        </Button>
      </StepWays>
      {later && <p className="text-label text-text-3">{t.later(later)}</p>}
    </Form>
  );
}
