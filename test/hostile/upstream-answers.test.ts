/** Every way in which an image service misbehaves, seen from the client of the whole service. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { verifyBooks } from '../../server/flows/money/verify-books.ts';
import { must } from '../../server/lib/assert.ts';
import { inspectImage } from '../../server/lib/pictures/inspect-image.ts';
import { type Answer, errorOf } from '../support/callers/api.ts';
import { readEventStream } from '../support/callers/event-stream.ts';
import { generation } from '../support/callers/ways-to-ask.ts';
import { makePicture } from '../support/pictures.ts';
import { serveModel } from '../support/upstreams/served-model.ts';
import { HostileUpstream } from './hostile-upstream.ts';
import { describeOnSqlite } from './on-sqlite.ts';
import { upstreamCanary, upstreamKinds } from './upstream-kinds.ts';

const credential = 'sk-hostile-7d1f40c2';
/** A stall is over soon; a machine that is busy still has the time to answer. */
const limits = { firstByteMs: 3_000, idleMs: 3_000 };

describeOnSqlite(
  (api) => {
    let upstream: HostileUpstream | null = null;
    beforeAll(async () => {
      upstream = await HostileUpstream.start(await makePicture('png', { width: 32, height: 32 }));
    });
    afterAll(() => upstream?.stop());

    describe.each(['transport', 'status', 'echo', 'body', 'stream', 'redirect', 'headers'])(
      'an upstream and its %s:',
      (family) => {
        test.each(upstreamKinds.filter((kind) => kind.family === family))(
          '$name',
          async ({ name, gives, plan, isStream = false }) => {
            const service = must(upstream, 'the upstream');
            const id = `${family}-${name}`.replaceAll(/\W+/g, '-');
            const user = await api.app.addUser({ money: '0.10' });
            const model = await serveModel(api.app, {
              hostile: {
                kind: 'openai-images',
                baseUrl: service.baseUrlOf(id),
                credential,
                settings: { dialect: 'openai' },
                upstreamModel: 'gpt-image-2.5-sunburst',
                limits,
              },
            });
            service.plans.set(id, plan);
            const fields = {
              model: model.id,
              ...(isStream && { stream: true, partial_images: 2 }),
            };
            const answer = await api.ask(generation, fields, { user });
            expect(answer.text).not.toContain(upstreamCanary);
            expect(JSON.stringify([...answer.headers])).not.toContain(upstreamCanary);
            expect(answer.text).not.toContain(credential);
            const isPaid = isStream ? endsInPicture(answer) : hasPicture(answer);
            if (gives !== null) expect(isPaid).toBe(gives === 'picture');
            expect(await balanceOf(user.id)).toBe(isPaid ? 0 : 100_000);
            expect(service.asked.get(id)).toBeGreaterThan(0);
            expect(await api.get('/v1/models')).toMatchObject({ status: 200 });
          },
        );
      },
    );

    test('and after all of them the books agree', async () => {
      expect(await verifyBooks(api.app.database)).toMatchObject({ violations: [], openHolds: 0 });
    });

    async function balanceOf(userId: string): Promise<number> {
      const wallet = await api.app.database.kysely
        .selectFrom('wallets')
        .select('balance')
        .where('user_id', '=', userId)
        .executeTakeFirstOrThrow();
      return wallet.balance;
    }
  },
  { config: { attemptsPerPictureMax: 1 } },
);

/**
 * Whether it is a whole picture; an error of ours otherwise, never the upstream's as if it was the
 * user's.
 */
function hasPicture(answer: Answer): boolean {
  if (answer.status === 200) {
    const { data } = answer.body as { data: { b64_json: string }[] };
    expect(data).toHaveLength(1);
    expectWhole(data[0]?.b64_json);
    return true;
  }
  expectOurError(errorOf(answer));
  expect([400, 502, 503]).toContain(answer.status);
  return false;
}

function endsInPicture(answer: Answer): boolean {
  if (answer.status !== 200) return hasPicture(answer);
  const { events } = readEventStream(answer.text);
  const last = must(events.at(-1), 'a last event');
  for (const event of events.slice(0, -1)) {
    expect(event.name).toBe('image_generation.partial_image');
  }
  expect(last.data['type']).toBe(last.name);
  if (last.name === 'image_generation.completed') {
    expectWhole(last.data['b64_json']);
    return true;
  }
  expect(last.name).toBe('error');
  expectOurError(last.data['error'] as { code: string });
  return false;
}

function expectWhole(base64: unknown): void {
  expect(inspectImage({ encoding: 'base64', ascii: Buffer.from(String(base64)) })).not.toBeNull();
}

function expectOurError({ code }: { code: string }): void {
  expect(['upstream_error', 'invalid_request_error', 'model_unavailable', 'unavailable']).toContain(
    code,
  );
}
