import type { SetupState } from '../../../../shared/console/setup.ts';

export const setupSteps = ['account', 'upstream', 'models', 'wallet', 'picture'] as const;
export type SetupStep = (typeof setupSteps)[number];

/** The first step that is not done; the last one when all are. */
export function firstOpenStep(state: SetupState): SetupStep {
  return setupSteps.find((step) => !state[step]) ?? 'picture';
}

/** Steps can be left for later, but not before there is an account. */
export function isReachable(step: SetupStep, state: SetupState): boolean {
  return step === 'account' ? !state.account : state.account;
}

export function stepAfter(step: SetupStep): SetupStep {
  return setupSteps[setupSteps.indexOf(step) + 1] ?? 'picture';
}

export function stepBefore(step: SetupStep): SetupStep | null {
  const before = setupSteps[setupSteps.indexOf(step) - 1];
  // Who has an account does not come back to making it.
  return before === undefined || before === 'account' ? null : before;
}
