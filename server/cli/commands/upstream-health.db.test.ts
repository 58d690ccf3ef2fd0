import { beforeEach, describe, expect, it } from 'vitest';
import { forEachEngine } from '../../../test/support/databases/databases.ts';
import { type CommandLine, commandLine } from '../../../test/support/processes/command-line.ts';
import { addStudio, type Studio } from '../../../test/support/upstreams/studio.ts';
import { UpstreamChecks } from '../../flows/upstreams/check-upstreams.ts';
import { setEnabledOfUpstream } from '../../flows/upstreams/enable-upstream.ts';
import { syncUpstreamModels } from '../../flows/upstreams/sync-upstream-models.ts';
import { createLogger } from '../../lib/logger.ts';
import { UpstreamError } from '../../upstreams/upstream.ts';

forEachEngine((engine) => {
  let studio: Studio;
  let cli: CommandLine;

  beforeEach(async () => {
    const database = await engine.open();
    studio = await addStudio(database);
    cli = commandLine(engine.locationOf(database));
  });

  /** As long after the last answer as it is due. */
  async function check(failure: UpstreamError | null): Promise<void> {
    const { admin, service } = studio;
    service.lists('paint-1', 'paint-2');
    if (failure) {
      service.answersWith(async () => {
        throw failure;
      });
    }
    const { clock, database } = admin;
    const log = createLogger('silent');
    const checks = new UpstreamChecks({
      database,
      clock,
      log,
      access: service.access,
      everyMs: 60_000,
    });
    clock.advance(60_000);
    await checks.checkDue();
  }

  async function shown(): Promise<{ listed: string; field: string; health: unknown }> {
    const [header = '', row = ''] = (await cli.out('upstreams', 'list')).split('\n');
    const from = header.indexOf('HEALTH');
    const text = await cli.out('upstreams', 'show', 'studio');
    return {
      listed: row.slice(from, header.indexOf('KEYS')).trimEnd(),
      field: /^health +(.*)$/m.exec(text)?.[1] ?? '',
      health: (await cli.json('upstreams', 'show', 'studio'))['health'],
    };
  }

  describe('the health of an upstream', () => {
    it('is unknown before it was asked anything', async () => {
      await cli.out('upstreams', 'add', 'fresh', '--kind', 'sandbox', '--no-sync');
      expect(await cli.json('upstreams', 'show', 'fresh')).toMatchObject({ health: null });
      expect(await cli.out('upstreams', 'show', 'fresh')).toMatch(/^health +not checked yet$/m);
      expect(await cli.out('upstreams', 'list')).toMatch(/^fresh +sandbox +yes +- /m);
    });

    it('is known from the model list that came when it was added', async () => {
      expect(await shown()).toMatchObject({
        listed: 'answers',
        field: 'answers, 1 model; checked 2026-01-01T00:00:00.000Z, 0 ms',
      });
    });

    it('is good again after a test by hand', async () => {
      await cli.out('upstreams', 'add', 'fresh', '--kind', 'sandbox', '--no-sync');
      await cli.out('upstreams', 'test', 'fresh');
      expect(await cli.json('upstreams', 'show', 'fresh')).toMatchObject({
        health: { fault: null, models_listed: 3, failures: 0 },
      });
    });

    it('is good again after a sync', async () => {
      await check(new UpstreamError('auth', 'refused', { status: 401 }));
      studio.service.lists('paint-1');
      await syncUpstreamModels(studio.admin, studio.service.access, 'studio');
      expect((await shown()).health).toMatchObject({ fault: null, failures: 0 });
    });

    it('is that it answers', async () => {
      await check(null);
      expect(await shown()).toEqual({
        listed: 'answers',
        field: 'answers, 2 models; checked 2026-01-01T00:01:00.000Z, 0 ms',
        health: {
          checked_at: '2026-01-01T00:01:00.000Z',
          took_ms: 0,
          fault: null,
          status: null,
          models_listed: 2,
          failures: 0,
          failing_since: null,
        },
      });
    });

    it('is since when it fails, and how', async () => {
      await check(null);
      await check(new UpstreamError('unavailable', 'down', { status: 503 }));
      await check(new UpstreamError('timeout', 'slow'));
      expect(await shown()).toEqual({
        listed: 'timeout since 2026-01-01 00:02:00 UTC',
        field:
          'timeout since 2026-01-01T00:02:00.000Z, 2 checks; last checked 2026-01-01T00:03:00.000Z, 0 ms',
        health: {
          checked_at: '2026-01-01T00:03:00.000Z',
          took_ms: 0,
          fault: 'timeout',
          status: null,
          models_listed: null,
          failures: 2,
          failing_since: '2026-01-01T00:02:00.000Z',
        },
      });
    });

    it('names the status of a failure', async () => {
      await check(new UpstreamError('auth', 'refused', { status: 401 }));
      expect((await shown()).field).toMatch(/^auth \(401\) since .*, 1 check; last checked /);
    });

    it('is not looked at while it is disabled', async () => {
      await check(new UpstreamError('auth', 'refused', { status: 401 }));
      const wanted = { upstream: 'studio', enabled: false };
      await setEnabledOfUpstream(studio.admin, studio.service.access, wanted);
      expect((await shown()).listed).toBe('-');
    });

    it('is among what a program gets of all upstreams', async () => {
      await check(null);
      const { upstreams } = await cli.json('upstreams', 'list');
      expect(upstreams).toMatchObject([{ name: 'studio', health: { models_listed: 2 } }]);
    });
  });
});
