import { expect, it } from 'vitest';
import { moreModelsLimits, settingsSchema } from './settings.ts';

const { modelsMax, nameCharactersMax } = moreModelsLimits;

it.each([
  ['as many models as it may', names(modelsMax), true],
  ['one more', names(modelsMax + 1), false],
  ['a name as long as it may be', ['a'.repeat(nameCharactersMax)], true],
  ['a longer one', ['a'.repeat(nameCharactersMax + 1)], false],
  ['a name with a space', ['a b'], false],
  ['no name', [''], false],
])('more models: %s', (_what, moreModels, isAccepted) => {
  expect(settingsSchema.safeParse({ moreModels }).success).toBe(isAccepted);
});

function names(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `model-${index}`);
}
