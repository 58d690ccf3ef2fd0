import type { ReactNode } from 'react';
import { setupText } from '../../../i18n/setup-text.ts';
import { useText } from '../../../i18n/text.ts';
import { Button } from '../../../ui/button.tsx';
import type { StepProps } from './step-props.ts';

/** The ways back and past a step, and beside them what saves it. */
export function StepWays({ step, children }: { step: StepProps; children?: ReactNode }) {
  const t = useText(setupText);
  return (
    <div className="flex flex-wrap items-center gap-2">
      {step.onBack && <Button onClick={step.onBack}>{t.back}</Button>}
      <Button look="quiet" onClick={step.onSkip}>
        {t.skip}
      </Button>
      {children}
    </div>
  );
}
