/** What the service calls by a name of its own has words in the console, which would show the bare name. */
import { expect, it } from 'vitest';
import { settingsTable } from '../../server/settings/settings.ts';
import { skips } from '../../server/upstreams/lane.ts';
import { faults, upstreamWarnings } from '../../server/upstreams/upstream.ts';
import { adminCommon } from './en/admin-common.ts';
import { adminSettings } from './en/admin-settings.ts';

const settings = Object.values(settingsTable);

it.each([
  ['faults', adminCommon.faults, faults],
  ['skips', adminCommon.skips, skips],
  ['warnings', adminCommon.warnings, upstreamWarnings],
  ['settings', adminSettings.labels, settings.map(({ name }) => name)],
  [
    'choices of settings',
    adminSettings.choices,
    settings.flatMap(({ name, form }) =>
      form.kind === 'choice' ? form.choices.map((choice) => `${name}.${choice}`) : [],
    ),
  ],
])('all %s have words, and nothing else has', (_what, words, names) => {
  expect(Object.keys(words).toSorted()).toEqual([...names].toSorted());
});
