import { afterEach, expect, test, vi } from 'vitest';
import { ImageRuns } from '../../../server/flows/requests/runs/image-runs.ts';
import { startTestApp } from '../../support/app.ts';
import { answerOf, errorOf, outcomeOf } from '../../support/callers/api.ts';
import { generation, smallPrompt } from '../../support/callers/ways-to-ask.ts';
import { forEachEngine } from '../../support/databases/databases.ts';
import { violationsOf, walletOf } from '../../support/money/spending.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

/** The limit of the service's patience was over so many looks at it after the request came. */
const moments = [
  { name: 'before the request is looked at', looksBefore: 0 },
  { name: 'while the request is admitted', looksBefore: 1 },
];

forEachEngine((engine) => {
  for (const { name, looksBefore } of moments) {
    test(`a service that has stopped ${name} refuses it and leaves nothing open`, async () => {
      const app = await startTestApp(engine.locationOf(await engine.open()));
      const user = await app.addUser();
      const closed = vi.spyOn(ImageRuns.prototype, 'closed', 'get').mockReturnValue(true);
      for (let look = 1; look <= looksBefore; look++) closed.mockReturnValueOnce(false);
      const body = { model: 'gen-image-2', prompt: smallPrompt };
      const refused = await answerOf(await app.post(generation.path, user, body));
      expect(outcomeOf(refused)).toEqual({ status: 503, code: 'unavailable', param: null });
      expect(errorOf(refused).type).toBe('server_error');
      expect(refused.headers.get('retry-after')).toBe('5');
      expect(closed).toHaveBeenCalledTimes(looksBefore + 1);
      expect(await walletOf(app.database, user.id)).toBe('100.00 balance, 0.00 held, 0 slots');
      expect(await violationsOf(app.database)).toEqual([]);
      await app.stop();
    });
  }
});
