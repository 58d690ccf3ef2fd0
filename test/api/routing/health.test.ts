/** The running service looks by itself whether its upstreams answer. */
import { beforeAll, describe, expect, test } from 'vitest';
import { listUpstreamChecks } from '../../../server/catalog/upstream-check-store.ts';
import { requireUpstream } from '../../../server/catalog/upstream-store.ts';
import { addUpstream } from '../../../server/flows/upstreams/add-upstream.ts';
import { must } from '../../../server/lib/assert.ts';
import { describeApi } from '../../support/callers/api.ts';
import { testAccess } from '../../support/console/test-admin.ts';
import { patience } from '../../support/patience.ts';

const upstreamCheckMs = 50;
const log: Record<string, unknown>[] = [];

describeApi(
  (api) => {
    const checkOf = async (name: string) => {
      const { id: upstreamId } = await requireUpstream(api.app.database, name);
      return (await listUpstreamChecks(api.app.database, { upstreamId }))[0] ?? null;
    };

    beforeAll(async () => {
      await addUpstream(api.app.admin, testAccess(), {
        name: 'nowhere',
        kind: 'openai-images',
        // Nobody listens on the discard port.
        baseUrl: 'http://127.0.0.1:9/v1',
        credential: 'fake',
        settings: {},
        priority: 1,
        weight: 1,
      });
    });

    describe('the health of an upstream', () => {
      test('is in the database when it answers', async () => {
        const checkedAt = async () => (await checkOf('sandbox'))?.checkedAt ?? 0;
        const before = await checkedAt();
        await expect.poll(checkedAt, patience).toBeGreaterThan(before);
        expect(await checkOf('sandbox')).toMatchObject({
          fault: null,
          modelsListed: 3,
          failures: 0,
          failingSince: null,
        });
      });

      test('and when it does not, which the log says once', async () => {
        const failures = async () => (await checkOf('nowhere'))?.failures ?? 0;
        await expect.poll(failures, patience).toBeGreaterThan(2);
        const check = must(await checkOf('nowhere'), 'a check');
        expect(check).toMatchObject({ fault: 'unavailable', status: null, modelsListed: null });
        expect(check.failingSince).toBeLessThan(check.checkedAt);
        const lines = log.filter(({ upstream }) => upstream === 'nowhere');
        expect(lines.filter(({ level }) => level === 'warn')).toMatchObject([
          { msg: 'upstream failed its health check', fault: 'unavailable' },
        ]);
        log.length = 0;
      });
    });
  },
  {
    config: { upstreamCheckMs },
    // Each line of the log is one JSON object.
    onLogLine: (line) => void log.push(JSON.parse(line) as Record<string, unknown>),
  },
);
