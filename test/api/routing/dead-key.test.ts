/** A key that its upstream does not accept any more, over the real protocol. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listAuditEntries } from '../../../server/audit/audit-store.ts';
import { listUpstreamKeys } from '../../../server/catalog/upstream-key-store.ts';
import { requireUpstream } from '../../../server/catalog/upstream-store.ts';
import {
  addUpstreamKey,
  replaceUpstreamKey,
} from '../../../server/flows/upstreams/change-upstream-keys.ts';
import { setEnabledOfUpstream } from '../../../server/flows/upstreams/enable-upstream.ts';
import { describeApi, outcomeOf } from '../../support/callers/api.ts';
import { generation } from '../../support/callers/ways-to-ask.ts';
import { testAccess } from '../../support/console/test-admin.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { violationsOf } from '../../support/money/spending.ts';
import { spentBy } from '../../support/money/spent.ts';
import { patience } from '../../support/patience.ts';
import { makePicture } from '../../support/pictures.ts';
import {
  attemptsOf,
  type Server,
  serveModel,
  wayOf,
} from '../../support/upstreams/served-model.ts';
import { whole } from '../../upstreams/deliveries.ts';
import { FakeService } from '../../upstreams/fake-service.ts';
import { openaiSubject } from '../../upstreams/openai-images.ts';

const clock = new ManualClock(Date.UTC(2030, 0, 1));
const { fake: protocol, credential, upstreamModel } = openaiSubject();
/** How long a refused key rests. */
const restMs = 60_000;

describeApi(
  (api) => {
    let service: FakeService;
    /** Credentials that the service takes. */
    const accepted = new Set<string>();
    /** Happens before it answers. */
    let meanwhile: (() => Promise<unknown>) | null = null;

    beforeAll(async () => {
      const picture = await makePicture('png');
      service = await FakeService.start({
        protocol,
        main: (request) => {
          const given = request.headers['authorization']?.replace('Bearer ', '') ?? '';
          const isKnown = accepted.has(given);
          const answer = isKnown ? protocol.picture(picture, request) : protocol.unauthorized;
          return {
            answer,
            deliver: async (response, sent) => {
              await meanwhile?.();
              await whole(response, sent);
            },
          };
        },
      });
    });
    afterAll(() => service.stop());

    const studio = (): Server => ({
      kind: 'openai-images',
      baseUrl: `${service.origin}${protocol.basePath}`,
      credential,
      settings: { dialect: 'openai' },
      upstreamModel,
    });

    test('is disabled with its upstream after three requests, which says why', async () => {
      const { id, nameOf } = await serveModel(api.app, { studio: studio() });
      const { admin, database } = api.app;
      const user = await api.app.addUser({ money: '1' });
      const before = service.mainRequests.length;
      for (let i = 0; i < 3; i++) {
        const answer = await api.ask(generation, { model: id }, { user });
        expect(outcomeOf(answer)).toEqual({ status: 502, code: 'upstream_error', param: null });
        expect(await attemptsOf(api.app, answer)).toMatchObject([
          { upstream: 'studio', upstream_key: 'main', fault: 'auth', status: 401 },
        ]);
        clock.advance(restMs);
      }
      const upstream = () => requireUpstream(database, nameOf('studio'));
      await expect.poll(upstream, patience).toMatchObject({
        enabled: false,
        disabledReason: 'auth',
      });
      const { id: upstreamId } = await upstream();
      expect(await listUpstreamKeys(database, { upstreamId })).toMatchObject([
        { name: 'main', enabled: false, disabledReason: 'auth' },
      ]);
      const { items } = await listAuditEntries(database, {}, { after: null, limit: 1 });
      expect(items).toMatchObject([
        {
          actor: 'system',
          action: 'upstream.retire',
          subject: upstreamId,
          detail: { name: nameOf('studio'), key: 'main', fault: 'auth', models_lost: [id] },
        },
      ]);
      const after = await api.ask(generation, { model: id }, { user });
      expect(outcomeOf(after)).toEqual({ status: 503, code: 'model_unavailable', param: 'model' });
      expect(service.mainRequests.length - before).toBe(3);
      expect(await spentBy(database, user)).toEqual([]);
      expect(await violationsOf(database)).toEqual([]);

      // The account was set right, and an administrator says so.
      accepted.add(credential ?? '');
      await setEnabledOfUpstream(admin, testAccess(), { upstream: upstreamId, enabled: true });
      const again = await api.ask(generation, { model: id }, { user });
      expect(await wayOf(api.app, again)).toEqual(['studio: picture']);
      expect(await spentBy(database, user)).toEqual(['0.10']);
      accepted.clear();
    });

    test('is not disabled when it was replaced before the third refusal came', async () => {
      const { id, nameOf } = await serveModel(api.app, { studio: studio() });
      const { admin, database } = api.app;
      const user = await api.app.addUser({ money: '1' });
      const replacement = { upstream: nameOf('studio'), name: 'main', credential: 'sk-new' };
      for (let i = 0; i < 3; i++) {
        if (i === 2) meanwhile = () => replaceUpstreamKey(admin, testAccess(), replacement);
        await api.ask(generation, { model: id }, { user });
        clock.advance(restMs);
      }
      meanwhile = null;
      accepted.add('sk-new');
      const again = await api.ask(generation, { model: id }, { user });
      expect(await wayOf(api.app, again)).toEqual(['studio: picture']);
      expect(await requireUpstream(database, nameOf('studio'))).toMatchObject({ enabled: true });
      accepted.clear();
    });

    describe('of two', () => {
      test('gives way to the other within the request, and alone is disabled', async () => {
        const { id, nameOf } = await serveModel(api.app, { studio: studio() });
        const { admin, database } = api.app;
        const user = await api.app.addUser({ money: '1' });
        accepted.add('sk-spare');
        const upstream = nameOf('studio');
        const spare = { upstream, name: 'spare', credential: 'sk-spare' };
        await addUpstreamKey(admin, testAccess(), spare);
        const { id: upstreamId } = await requireUpstream(database, upstream);
        const keys = async () =>
          (await listUpstreamKeys(database, { upstreamId })).map(
            (key) => `${key.name}: ${key.disabledReason ?? 'enabled'}`,
          );
        const ways: string[] = [];
        // The keys take turns, so that the dead one is asked in some requests only.
        for (let i = 0; i < 12 && !(await keys()).includes('main: auth'); i++) {
          const answer = await api.ask(generation, { model: id }, { user });
          expect(answer.status).toBe(200);
          const attempts = await attemptsOf(api.app, answer);
          ways.push(attempts.map((each) => `${each.upstream_key} ${each.fault}`).join(', '));
          clock.advance(restMs);
        }
        await expect.poll(keys, patience).toEqual(['main: auth', 'spare: enabled']);
        expect(ways).toContain('main auth, spare null');
        expect(await requireUpstream(database, upstream)).toMatchObject({ enabled: true });
        expect(await spentBy(database, user)).toEqual(ways.map(() => '0.10'));
        expect(await violationsOf(database)).toEqual([]);
        accepted.clear();
      });
    });
  },
  { clock },
);
