import { expect, test } from 'vitest';
import { accountSchema } from '../../../../shared/console/account.ts';
import { describeApi } from '../../../support/callers/api.ts';
import { addMember, signedIn, textField, Visitor } from '../../../support/console/visitor.ts';
import { ManualClock } from '../../../support/manual-clock.ts';

const clock = new ManualClock();
const minuteMs = 60_000;

describeApi(
  (api) => {
    test('when an access token was last used is told to a minute', async () => {
      const visitor = await signedIn(api.app, await addMember(api.app));
      const made = await visitor.post('/account/access-tokens', { name: 'CI', days: 30 });
      const authorization = `Bearer ${textField(made, 'secret')}`;
      const script = new Visitor(api.app.baseUrl, { authorization });
      const usedAfter = async (ms: number) => {
        clock.advance(ms);
        await script.get('/account');
        const { access_tokens } = accountSchema.parse((await visitor.get('/account')).body);
        return access_tokens[0]?.last_used_at;
      };
      const first = new Date(clock.now()).toISOString();
      expect(await usedAfter(0)).toBe(first);
      expect(await usedAfter(minuteMs - 1)).toBe(first);
      expect(await usedAfter(1)).toBe(new Date(clock.now()).toISOString());
    });
  },
  { clock },
);
