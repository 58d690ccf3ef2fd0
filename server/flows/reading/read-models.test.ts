import { expect, it } from 'vitest';
import { storedUpstream } from '../../../test/support/upstreams/stored-upstream.ts';
import { selectedUpstreams } from './read-models.ts';

const upstream = storedUpstream({ id: 'up_1' });

it('goes through the list of what is served once, however many models there are', () => {
  const numbers = Array.from({ length: 50 }, (_, number) => number);
  let readings = 0;
  const selections = selectedUpstreams({
    upstreams: [upstream],
    upstreamKeys: [],
    selections: numbers.map((number) => ({
      modelId: `model-${number}`,
      upstreamId: 'up_1',
      upstreamModel: `entry-${number}`,
      options: { strictMask: false, extra: {} },
    })),
    get upstreamModels() {
      readings++;
      return numbers.map((number) => ({
        upstreamId: 'up_1',
        upstreamModel: `entry-${number}`,
        description: null,
        listedAt: 1,
        goneAt: number === 3 ? 2 : null,
      }));
    },
  });
  expect(selections.size).toBe(50);
  expect(selections.get('model-7')).toMatchObject([{ upstreamName: 'studio', serves: true }]);
  expect(selections.get('model-3')).toMatchObject([{ serves: false }]);
  expect(readings).toBe(1);
});
