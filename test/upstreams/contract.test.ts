/** The contract, held against a plain adapter that keeps it and against some that do not. */
import { describe, expect, it } from 'vitest';
import { badHabits } from './bad-habits.ts';
import { describeContract, scenarios } from './contract.ts';
import { trivialKind } from './trivial-adapter.ts';
import { trivialSubject } from './trivial-service.ts';

/** What a bad habit costs where the scenario has to wait for what never happens. */
const patienceMs = 1_500;

describeContract(trivialSubject(trivialKind()));

describe('the contract notices an adapter that', () => {
  it.each(badHabits)('$habit', async ({ habits, noticed, because }) => {
    const scenario = scenarios.find(({ name }) => name === noticed);
    const subject = trivialSubject(trivialKind(habits));
    expect(scenario?.applies(subject)).toBe(true);
    await expect(scenario?.run(subject, { patienceMs })).rejects.toThrow(because);
  });
});
