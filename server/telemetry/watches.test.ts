import { expect, it } from 'vitest';
import { zero } from '../../shared/money.ts';
import { noRunWatch } from '../../test/support/requests/no-run-watch.ts';
import { createLogger } from '../lib/logger.ts';
import { allRunWatches } from './watches.ts';

it('tells everybody, also after somebody who breaks, and says so in the log', () => {
  const told: string[] = [];
  const lines: string[] = [];
  const broken = {
    ...noRunWatch,
    onRefund: () => {
      throw new RangeError('as the test says');
    },
  };
  const whole = {
    ...noRunWatch,
    onRefund: ({ traceId }: { traceId: string }) => told.push(traceId),
  };
  const log = createLogger('info', { write: (line) => lines.push(line) });
  allRunWatches(log, [broken, whole]).onRefund({ traceId: 'tr_1', cost: zero });
  expect(told).toEqual(['tr_1']);
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain('a request was not measured');
});
