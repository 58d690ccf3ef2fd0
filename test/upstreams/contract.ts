/**
 * What every adapter does, whatever its protocol: one suite, run against a fake service that speaks
 * the real protocol over a socket.
 */
import { describe, it } from 'vitest';
import type { ContractSubject } from './contract-subject.ts';
import type { Scenario } from './scenario.ts';
import { addressScenarios } from './scenarios/addresses.ts';
import { brokenAnswerScenarios } from './scenarios/broken-answers.ts';
import { faultScenarios } from './scenarios/faults.ts';
import { inputScenarios } from './scenarios/inputs.ts';
import { pictureScenarios } from './scenarios/pictures.ts';
import { stoppingScenarios } from './scenarios/stopping.ts';

/** In the order in which they are worth reading. */
export const scenarios: readonly Scenario[] = [
  ...pictureScenarios,
  ...inputScenarios,
  ...faultScenarios,
  ...brokenAnswerScenarios,
  ...addressScenarios,
  ...stoppingScenarios,
];

/** The whole suite for one adapter; `title` tells several subjects of one kind apart. */
export function describeContract(subject: ContractSubject, title = subject.kind.kind): void {
  describe(`${title} keeps the contract of adapters`, () => {
    for (const scenario of scenarios.filter(({ applies }) => applies(subject))) {
      it(scenario.name, () => scenario.run(subject));
    }
  });
}
