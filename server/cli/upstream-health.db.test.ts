import { beforeEach, describe, expect, it } from 'vitest';
import { type CommandLine, commandLine } from '../../test/support/command-line.ts';
import { forEachEngine } from '../../test/support/databases.ts';
import { addStudio, type Studio } from '../../test/support/studio.ts';
import { UpstreamChecks } from '../flows/check-upstreams.ts';
import { setEnabledOfUpstream } from '../flows/enable-upstream.ts';
import { createLogger } from '../lib/logger.ts';
import { UpstreamError } from '../upstreams/upstream.ts';

forEachEngine((engine) => {
  let studio: Studio;
  let cli: CommandLine;

  beforeEach(async () => {
    const database = await engine.open();
    studio = await addStudio(database);
    cli = commandLine(engine.locationOf(database));
  });

  /** As long after the last one as it is due. */
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
    await checks.checkDue();
    clock.advance(60_000);
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
    it('is unknown before its first check', async () => {
      expect(await shown()).toEqual({ listed: '-', field: 'not checked yet', health: null });
    });

    it('is that it answers', async () => {
      await check(null);
      expect(await shown()).toEqual({
        listed: 'answers',
        field: 'answers, 2 models; checked 2026-01-01T00:00:00.000Z, 0 ms',
        health: {
          checked_at: '2026-01-01T00:00:00.000Z',
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
        listed: 'timeout since 2026-01-01T00:01:00.000Z',
        field:
          'timeout since 2026-01-01T00:01:00.000Z, 2 checks; last checked 2026-01-01T00:02:00.000Z, 0 ms',
        health: {
          checked_at: '2026-01-01T00:02:00.000Z',
          took_ms: 0,
          fault: 'timeout',
          status: null,
          models_listed: null,
          failures: 2,
          failing_since: '2026-01-01T00:01:00.000Z',
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
