import { expect, test } from 'vitest';
import { describeApi } from '../../support/callers/api.ts';
import { refusalOf, unauthorized } from '../../support/callers/keys.ts';
import { ManualClock } from '../../support/manual-clock.ts';

const clock = new ManualClock();

describeApi(
  (api) => {
    test('a key expires at its hour and not before', async () => {
      const { secret } = await api.app.addKey(api.user.id, { expiresAt: clock.now() + 1_000 });
      const user = { apiKey: secret };
      expect(await api.get('/v1/models', { user })).toMatchObject({ status: 200 });
      clock.advance(999);
      expect(await api.get('/v1/models', { user })).toMatchObject({ status: 200 });
      clock.advance(1);
      expect(refusalOf(await api.get('/v1/models', { user }))).toEqual(unauthorized);
    });
  },
  { clock },
);
