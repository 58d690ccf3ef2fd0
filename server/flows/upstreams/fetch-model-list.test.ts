import { expect, it } from 'vitest';
import { ManualClock } from '../../../test/support/manual-clock.ts';
import { listingKind, listingUpstream } from '../../../test/support/upstreams/listing-upstream.ts';
import { storedUpstream } from '../../../test/support/upstreams/stored-upstream.ts';
import { fetchModelList } from './fetch-model-list.ts';

it('cuts a long description between two characters, not within one', async () => {
  const service = listingUpstream({ credential: 'unused' });
  const beginning = 'x'.repeat(499);
  service.answersWith(async () => [{ upstreamModel: 'paint-1', description: `${beginning}🎨` }]);
  const asked = {
    upstream: storedUpstream({ kind: listingKind, baseUrl: 'https://studio.example' }),
    key: null,
  };
  expect(await fetchModelList({ clock: new ManualClock() }, service.access, asked)).toEqual([
    { upstreamModel: 'paint-1', description: beginning },
  ]);
});
