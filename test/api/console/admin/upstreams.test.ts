import { beforeAll, describe, expect, it } from 'vitest';
import { addRefusedRecords } from '../../../../server/usage/record-store.ts';
import {
  adminUpstreamDetailSchema,
  adminUpstreamsSchema,
  probeEventSchema,
  probePlanSchema,
  upstreamActivitySchema,
  upstreamKindsSchema,
  upstreamTestAnswerSchema,
} from '../../../../shared/console/admin-upstreams.ts';
import { describeApi, outcomeOf, wrong } from '../../../support/callers/api.ts';
import { readEventStream } from '../../../support/callers/event-stream.ts';
import {
  type AdminWorld,
  addKeyedUpstream,
  enterAsAdmin,
  sent,
} from '../../../support/console/admin-world.ts';

const lines: string[] = [];

describeApi(
  (api) => {
    let world: AdminWorld;
    beforeAll(async () => {
      world = await enterAsAdmin(api);
    });

    const ask = (method: string, path: string, body?: object) =>
      sent(world, method, { path, ...(body && { body }) });
    const detailOf = async (name: string) =>
      adminUpstreamDetailSchema.parse((await ask('GET', `/admin/upstreams/${name}`)).body);

    it('describes each kind so that a form can be drawn', async () => {
      const { kinds } = upstreamKindsSchema.parse((await ask('GET', '/admin/upstream-kinds')).body);
      expect(kinds.map(({ kind }) => kind)).toEqual(
        expect.arrayContaining(['sandbox', 'openai-images', 'comfyui']),
      );
      for (const { settings, kind } of kinds) {
        expect(settings, kind).toMatchObject({ type: 'object' });
        for (const property of Object.values(settings['properties'] ?? {})) {
          expect(property, kind).toMatchObject({ title: expect.any(String) });
        }
      }
    });

    it('says of a model that it serves whether it has a price and is enabled', async () => {
      const isPriced = async () =>
        (await detailOf('sandbox')).model_list
          .flatMap(({ serves }) => serves)
          .find(({ model }) => model === 'gen-image-2')?.is_priced;
      const enable = (enabled: boolean) =>
        ask('PUT', '/admin/models/gen-image-2/enabled', { enabled });
      expect(await isPriced()).toBe(true);
      await enable(false);
      expect(await isPriced()).toBe(false);
      await enable(true);
      expect(await isPriced()).toBe(true);
    });

    it('gives no credential and no proxy back', async () => {
      const name = await addKeyedUpstream(world);
      const proxy = 'http://me:pr0xy-pw@10.0.0.1:3128';
      const patched = await ask('PATCH', `/admin/upstreams/${name}`, {
        proxy,
        credential: 'the-other-secret-1f9c',
      });
      const listed = await ask('GET', '/admin/upstreams');
      const shown = await ask('GET', `/admin/upstreams/${name}`);
      for (const { text } of [patched, listed, shown]) {
        expect(text).not.toMatch(/pr0xy-pw|credential-of-nobody|other-secret/);
      }
      expect(await detailOf(name)).toMatchObject({
        has_proxy: true,
        key_list: [
          { name: 'main', enabled: true, last_four: '1f9c', created_at: expect.any(String) },
        ],
      });
    });

    it('tells beforehand and afterwards which models lose their last upstream', async () => {
      const impact = await ask('GET', '/admin/upstreams/sandbox/impact');
      expect(impact.body).toEqual({
        models_lost: ['gen-image-2', 'gen-image-2.5-flare', 'gen-image-2.5-sunburst'],
      });
      const path = '/admin/upstreams/sandbox/enabled';
      const disabled = await ask('PUT', path, { enabled: false });
      expect(disabled.body).toMatchObject(impact.body as object);
      expect(await detailOf('sandbox')).toMatchObject({ health: 'disabled' });
      const enabled = await ask('PUT', path, { enabled: true });
      expect(enabled.body).toMatchObject({ models_lost: [], upstream: { enabled: true } });
    });

    it('shows of each entry of the model list what it serves and whether that has a price', async () => {
      const { model_list: list } = await detailOf('sandbox');
      expect(list.find((entry) => entry.upstream_model === 'sandbox-quick')).toMatchObject({
        gone_at: null,
        serves: [{ model: 'gen-image-2.5-flare', is_priced: true, strict_mask: false, extra: {} }],
      });
    });

    it('tells whether an upstream answers, and if not, why', async () => {
      const good = await ask('POST', '/admin/upstreams/sandbox/test', {});
      expect(upstreamTestAnswerSchema.parse(good.body)).toMatchObject({
        models: 3,
        added: [],
        gone: [],
        keys: [{ name: null, answers: true, models: 3 }],
      });
      const bad = await ask('POST', `/admin/upstreams/${await addKeyedUpstream(world)}/test`, {});
      expect(upstreamTestAnswerSchema.parse(bad.body)).toMatchObject({
        models: null,
        keys: [{ name: 'main', answers: false, fault: 'unavailable', models: null }],
      });
    });

    it('tests each key that is enabled, or the one that is asked for', async () => {
      const path = `/admin/upstreams/${await addKeyedUpstream(world)}`;
      await ask('POST', `${path}/keys`, { name: 'spare', credential: 'credential-of-nobody-else' });
      await ask('PUT', `${path}/keys/main/enabled`, { enabled: false });
      await ask('POST', `${path}/keys`, { name: 'third', credential: 'credential-of-a-third' });
      const namesOf = async (body: object) => {
        const answer = upstreamTestAnswerSchema.parse(
          (await ask('POST', `${path}/test`, body)).body,
        );
        return answer.keys.map(({ name }) => name);
      };
      expect(await namesOf({})).toEqual(['spare', 'third']);
      expect(await namesOf({ key: 'main' })).toEqual(['main']);
      expect(outcomeOf(await world.visitor.post(`${path}/test`, { key: 'fourth' }))).toMatchObject({
        status: 404,
      });
    });

    it('changes of the settings and of the extra fields what is named', async () => {
      const path = `/admin/upstreams/${await addKeyedUpstream(world)}`;
      await ask('PATCH', path, { settings: { stream: 'never', modelNames: { a: 'b', c: 'd' } } });
      const settings_changes = [{ path: ['stream'] }, { path: ['modelNames', 'a'], value: 'e' }];
      expect((await ask('PATCH', path, { settings_changes })).body).toMatchObject({
        upstream: { settings: { modelNames: { a: 'e', c: 'd' } } },
      });
      const bad = { settings_changes: [{ path: ['stream'], value: 'often' }] };
      expect(outcomeOf(await world.visitor.ask('PATCH', path, { body: bad }))).toEqual(
        wrong('settings.stream'),
      );
      const model = { model: 'gen-image-2.5-flare', upstream_model: 'sandbox-quick' };
      const map = (body: object) =>
        ask('PUT', '/admin/upstreams/sandbox/mapping', { ...model, ...body });
      await map({ extra: { a: 1, b: 2 } });
      await map({ extra_changes: [{ path: ['a'] }, { path: ['c'], value: null }] });
      const { model_list: list } = await detailOf('sandbox');
      expect(list.find((entry) => entry.upstream_model === 'sandbox-quick')).toMatchObject({
        serves: [{ extra: { b: 2, c: null } }],
      });
      await map({ extra: {} });
    });

    it('names the limit that is wrong as it was sent', async () => {
      const path = `/admin/upstreams/${await addKeyedUpstream(world)}`;
      const answer = await world.visitor.ask('PATCH', path, {
        body: { limits: { queue_max: -1 } },
      });
      expect(outcomeOf(answer)).toEqual(wrong('limits.queue_max'));
      expect(answer.text).toContain('queue_max must be a whole number from 0 to 10000.');
    });

    it('refuses without a word of the command line', async () => {
      const name = await addKeyedUpstream(world);
      const answer = await world.visitor.ask('DELETE', `/admin/upstreams/${name}`);
      expect(answer.status).toBe(400);
      expect(answer.text).toContain(`${name} is enabled. First disable it.`);
      expect(answer.text).not.toContain('tintype');
    });

    it('answers 502 with the reason when a model list cannot be fetched', async () => {
      const path = `/admin/upstreams/${await addKeyedUpstream(world)}/model-list`;
      const answer = await world.visitor.post(path, {});
      expect(outcomeOf(answer)).toMatchObject({ status: 502, code: 'upstream_error' });
      expect(answer.text).toContain('unavailable');
    });

    describe('a paid probe', () => {
      const path = '/admin/upstreams/sandbox/probe';
      const upstreamModel = 'sandbox-quick';

      it('says first what it will do and may cost, without calling anybody', async () => {
        const plan = await ask('GET', `${path}?upstream_model=${upstreamModel}`);
        expect(probePlanSchema.parse(plan.body)).toMatchObject({
          operations: ['generation', 'edit'],
          quality: 'low',
          limit_ms: 120_000,
          cost: expect.stringContaining('2 pictures'),
        });
      });

      it('streams its pictures, which are nowhere else', async () => {
        lines.length = 0;
        const before = await walletsOf();
        const body = { upstream_model: upstreamModel, agreed: true };
        const { text, headers } = await ask('POST', path, body);
        expect(headers.get('content-type')).toContain('text/event-stream');
        const events = readEventStream(text).events.map(({ data }) => probeEventSchema.parse(data));
        expect(events.map(({ type }) => type)).toEqual([
          'plan',
          'started',
          'made',
          'started',
          'made',
          'end',
        ]);
        const [made] = events.filter((event) => event.type === 'made');
        expect(made?.picture).toMatch(/^data:image\/png;base64,iVBOR/);
        const data = made?.picture.slice('data:image/png;base64,'.length) ?? '';
        expect(Buffer.from(data, 'base64').length).toBe(made?.bytes);
        expect(lines.join('')).not.toContain(data.slice(0, 40));
        expect(await walletsOf()).toEqual(before);
      });

      it('is refused for an upstream that is not there, as JSON', async () => {
        const body = { upstream_model: upstreamModel, agreed: true };
        const answer = await world.visitor.post('/admin/upstreams/nothing/probe', body);
        expect(outcomeOf(answer)).toMatchObject({ status: 404 });
      });

      async function walletsOf() {
        const { kysely } = api.app.database;
        return kysely.selectFrom('wallets').selectAll().orderBy('user_id').execute();
      }
    });

    it('lists failed attempts with the trace IDs of their requests, and counts them', async () => {
      const { app } = api;
      const name = await addKeyedUpstream(world);
      const now = app.admin.clock.now();
      const attempt = {
        upstream: name,
        upstream_model: 'studio-1',
        started_at: now,
        duration_ms: 250,
        fault: null as string | null,
      };
      const failed = { ...attempt, duration_ms: 30, fault: 'busy', status: 429, queued_behind: 7 };
      await app.database.transaction((trx) =>
        addRefusedRecords(trx, [
          {
            trace_id: `tr_activity_${name}`,
            user_id: world.user.id,
            api_key_id: world.user.apiKeyId,
            model: 'gen-image-2',
            operation: 'generation',
            status: 'failed',
            code: 'upstream_error',
            images_requested: 1,
            images: 0,
            unit_price: 0,
            cost: 0,
            stream: 0,
            size: null,
            quality: null,
            output_format: null,
            started_at: now - 1_000,
            ended_at: now,
            attempts: JSON.stringify([failed, attempt, { ...attempt, duration_ms: 750 }]),
            asked: null,
          },
        ]),
      );
      const activity = await ask('GET', `/admin/upstreams/${name}/activity`);
      expect(upstreamActivitySchema.parse(activity.body).failures).toMatchObject([
        {
          trace_id: `tr_activity_${name}`,
          fault: 'busy',
          status: 429,
          upstream_param: null,
          queued_behind: 7,
          model: 'gen-image-2',
        },
      ]);
      const { upstreams } = adminUpstreamsSchema.parse((await ask('GET', '/admin/upstreams')).body);
      expect(upstreams.find((upstream) => upstream.name === name)).toMatchObject({
        attempts_24h: 3,
        failed_24h: 1,
        median_ms_24h: 250,
        health: 'healthy',
      });
    });
  },
  { onLogLine: (line) => lines.push(line) },
);
