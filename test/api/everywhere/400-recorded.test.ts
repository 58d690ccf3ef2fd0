/** What is written down of a request that is refused: whoever looks for one with wrong fields wants its model. */
import { expect, test, vi } from 'vitest';
import { describeApi } from '../../support/callers/api.ts';
import {
  type Fields,
  formEdit,
  generation,
  jsonEdit,
  type Way,
} from '../../support/callers/ways-to-ask.ts';

const model = 'gen-image-2';

describeApi((api) => {
  test.each<[string, Way, Fields, string | null]>([
    ['a generation of a wrong size', generation, { model, size: '512x512' }, model],
    ['a generation with a picture', generation, { model, image: 'a' }, model],
    ['an edit in JSON without pictures', jsonEdit, { model, images: [] }, model],
    ['an edit in JSON of a file_id', jsonEdit, { model, file_id: 'file-1' }, model],
    ['a form with a wrong number', formEdit, { model, n: 'many' }, model],
    ['a form with a picture that is none', formEdit, { model, image: Buffer.from('a') }, model],
    ['a request without a model', generation, { model: undefined }, null],
    ['a model that we do not have', generation, { model: 'canary', size: 'no' }, null],
    ['a model that is no text', generation, { model: 5 }, null],
  ])('%s is recorded with its model', async (_what, way, fields, recorded) => {
    const answer = await api.ask(way, fields);
    expect(answer.status).toBe(400);
    const traceId = answer.headers.get('x-request-id') ?? '';
    const recordOf = () =>
      api.app.database.kysely
        .selectFrom('usage_records')
        .select(['model', 'code', 'cost'])
        .where('trace_id', '=', traceId)
        .executeTakeFirst();
    // Refused requests are written down a little later.
    const record = await vi.waitUntil(recordOf, { timeout: 15_000 });
    expect(record).toEqual({ model: recorded, code: 'invalid_request_error', cost: 0 });
  });

  test.each<[string, Fields, object]>([
    [
      'several pictures',
      { n: 3, size: '1536x1024', quality: 'high', output_format: 'webp' },
      { images_requested: 3, stream: 0, size: '1536x1024', quality: 'high', output_format: 'webp' },
    ],
    [
      'a stream',
      { stream: true, partial_images: 2 },
      { images_requested: 1, stream: 1, size: 'auto', quality: 'auto', output_format: 'png' },
    ],
  ])('%s that cannot be paid for: recorded as asked for', async (_what, fields, asked) => {
    const user = await api.app.addUser({ money: '0.01' });
    const answer = await api.ask(generation, { model, ...fields }, { user });
    expect(answer.status).toBe(429);
    const recordOf = () =>
      api.app.database.kysely
        .selectFrom('usage_records')
        .selectAll()
        .where('user_id', '=', user.id)
        .executeTakeFirst();
    const record = await vi.waitUntil(recordOf, { timeout: 15_000 });
    expect(record).toMatchObject({ ...asked, code: 'insufficient_quota', images: 0, cost: 0 });
  });
});
