/** What `tintype usage show` tells of a request that went through several upstreams. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp, type TestUser } from '../../support/app.ts';
import { type Answer, answerOf } from '../../support/callers/api.ts';
import { forEachEngine } from '../../support/databases/databases.ts';
import { refuseWrongBooks } from '../../support/money/spending.ts';
import { makePicture } from '../../support/pictures.ts';
import { type CommandLine, commandLine } from '../../support/processes/command-line.ts';
import { type ServedModel, type Server, serveModel } from '../../support/upstreams/served-model.ts';
import type { FakeAnswer } from '../../upstreams/contract-subject.ts';
import { whole } from '../../upstreams/deliveries.ts';
import { FakeService } from '../../upstreams/fake-service.ts';
import { openaiSubject } from '../../upstreams/openai-images.ts';

const { fake: protocol, credential, upstreamModel } = openaiSubject();
const steady = { settings: { directives: 'off' } };

forEachEngine((engine) => {
  let app: TestApp;
  let cli: CommandLine;
  let user: TestUser;
  let service: FakeService;
  let next: FakeAnswer[] = [];

  beforeAll(async () => {
    const database = await engine.open();
    app = await startTestApp(engine.locationOf(database));
    cli = commandLine(engine.locationOf(database));
    user = await app.addUser();
    const picture = await makePicture('png');
    service = await FakeService.start({
      protocol,
      main: (request) => ({
        answer: next.shift() ?? protocol.picture(picture, request),
        deliver: whole,
      }),
    });
  });
  afterAll(async () => {
    await refuseWrongBooks(app.database);
    await app.stop();
    await service.stop();
  });

  const studio = (): Server => ({
    kind: 'openai-images',
    baseUrl: `${service.origin}${protocol.basePath}`,
    credential,
    settings: { dialect: 'openai' },
    upstreamModel,
  });

  async function ask({ id }: ServedModel, fields: object): Promise<Answer> {
    const body = { model: id, ...fields };
    return answerOf(await app.post('/v1/images/generations', user, body));
  }

  const traceOf = ({ headers }: Answer) => headers.get('x-request-id') ?? '';

  describe('a request that failed over', () => {
    test('names each upstream, its fault, its own request ID and the key', async () => {
      const model = await serveModel(app, { studio: studio(), spare: steady });
      next = [protocol.unavailable];
      const answer = await ask(model, { prompt: 'a fox' });
      const shown = await cli.json('usage', 'show', traceOf(answer));
      expect(shown).toMatchObject({ status: 'succeeded', cost: '0.10', refund: null });
      const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
      expect(shown['attempts']).toEqual([
        {
          picture: 0,
          attempt: 1,
          upstream: model.nameOf('studio'),
          upstream_model: upstreamModel,
          upstream_key: 'main',
          started_at: time,
          duration_ms: expect.any(Number),
          skipped: null,
          fault: 'unavailable',
          status: 500,
          upstream_code: 'server_error',
          upstream_param: null,
          queued_behind: null,
          upstream_request_id: 'req_fake_1',
          possibly_charged: false,
          warnings: [],
        },
        {
          picture: 0,
          attempt: 2,
          upstream: model.nameOf('spare'),
          upstream_model: 'sandbox-quick',
          upstream_key: null,
          started_at: time,
          duration_ms: expect.any(Number),
          skipped: null,
          fault: null,
          status: null,
          upstream_code: null,
          upstream_param: null,
          queued_behind: null,
          upstream_request_id: expect.stringMatching(/^sandbox-tr_/),
          possibly_charged: false,
          warnings: [],
        },
      ]);
    });

    test('is a table on a terminal', async () => {
      const model = await serveModel(app, { studio: studio(), spare: steady });
      next = [protocol.unavailable];
      const answer = await ask(model, { prompt: 'a fox' });
      const lines = (await cli.out('usage', 'show', traceOf(answer))).trimEnd().split('\n');
      const [title, header, ...rows] = lines.slice(lines.indexOf('attempts'));
      expect([title, rows.length]).toEqual(['attempts', 2]);
      expect(header).toMatch(/^PICTURE +TRY +UPSTREAM +MODEL +KEY +BEGAN +TOOK +OUTCOME +STATUS +/);
      expect(rows[0]).toMatch(
        /^ +1 +1 +studio-\d+ +gpt-\S+ +main +\+\d+\.\d{3} s +\d+\.\d{3} s +unavailable +500 +server_error +req_fake_1$/,
      );
      expect(rows[1]).toMatch(
        /^ +1 +2 +spare-\d+ +sandbox-quick +- .* picture +- +- +sandbox-tr_\S+$/,
      );
    });
  });

  test('says which upstreams were passed over, and why', async () => {
    const model = await serveModel(app, { studio: studio(), spare: steady });
    next = [protocol.tooMany(600)];
    await ask(model, { prompt: 'a fox' });
    const answer = await ask(model, { prompt: 'a fox' });
    expect(await cli.out('usage', 'show', traceOf(answer))).toMatch(
      /\n +1 +- +studio-\d+ .* passed over: cooling_down/,
    );
  });

  test('says what the operator may have to pay although no picture came of it', async () => {
    const model = await serveModel(app, { first: {} });
    const answer = await ask(model, { prompt: 'a fox [[drop]] [[times=1]] [[actual=32x32]]' });
    const { out, err } = await cli.run('usage', 'show', traceOf(answer));
    expect(out).toMatch(/ MAYBE CHARGED .*\n.* unavailable +yes +sandbox-tr_.*\n.* picture +- /);
    expect(err).toBe(
      'Calls without a picture that their upstream may charge for all the same: 1\n',
    );
  });

  test('says what the picture was made without', async () => {
    const model = await serveModel(app, {
      studio: { ...studio(), settings: { dialect: 'zai' }, upstreamModel: 'glm-image' },
    });
    const answer = await ask(model, { prompt: 'a fox', quality: 'high' });
    expect(answer.status).toBe(200);
    const [attempt] = (await cli.json('usage', 'show', traceOf(answer)))['attempts'] as {
      warnings: string[];
    }[];
    expect(attempt?.warnings).toContain('quality_ignored');
    expect(await cli.out('usage', 'show', traceOf(answer))).toMatch(/ WARNINGS\n.*quality_ignored/);
  });

  test('tells n pictures apart', async () => {
    const model = await serveModel(app, { first: {} });
    const answer = await ask(model, { prompt: 'a fox [[actual=32x32]]', n: 3 });
    const { attempts } = await cli.json('usage', 'show', traceOf(answer));
    expect(attempts).toMatchObject([{ picture: 0 }, { picture: 1 }, { picture: 2 }]);
  });
});
