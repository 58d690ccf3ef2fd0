/** Bodies that want more than a picture: memory, time, somebody else's money, another line in the log. */
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { outcomeOf, wrong } from '../support/callers/api.ts';
import { readEventStream } from '../support/callers/event-stream.ts';
import { serveToFetch } from '../support/callers/fetching.ts';
import { generation, jsonEdit, smallPrompt } from '../support/callers/ways-to-ask.ts';
import { describeOnSqlite } from './on-sqlite.ts';

const mebibyte = 1024 ** 2;
const headers = { 'content-type': 'application/json' };
const start = `{"model":"gen-image-2.5-flare","prompt":"${smallPrompt}"`;
const logged: string[] = [];

describeOnSqlite(
  (api) => {
    const send = (body: string | Uint8Array<ArrayBuffer>, path: string = generation.path) =>
      api.send('POST', path, { headers, body });

    describe('a body', () => {
      test.each<[string, () => string]>([
        ['1,000,000 levels', () => `${start},"x":${'['.repeat(1_000_000)}`],
        ['1,000 levels', () => `${start},"x":${'['.repeat(1_000)}${']'.repeat(1_000)}}`],
        ['a key of 1 MiB', () => `${start},"${'k'.repeat(mebibyte)}":1}`],
        ['10 MiB of text', () => `${start},"x":"${'x'.repeat(10 * mebibyte)}"}`],
      ])('of %s is refused', async (_what, make) => {
        for (const path of [generation.path, jsonEdit.path]) {
          expect(outcomeOf(await send(make(), path)).status).toBe(400);
        }
      });

      test.each<[string, () => string]>([
        ['100,000 members', () => `${start}${',"a":1'.repeat(100_000)}}`],
        ['a number of 500,000 digits', () => `${start},"x":${'9'.repeat(500_000)}}`],
        ['a number beyond numbers', () => `${start},"x":1e400}`],
        ['30 levels', () => `${start},"x":${'['.repeat(30)}${']'.repeat(30)}}`],
      ])('of %s, which nobody asked for, is no harm', async (_what, make) => {
        expect(await send(make())).toMatchObject({ status: 200 });
      });

      test('of 100 MiB is refused', async () => {
        const body = `${start},"x":"${'x'.repeat(100 * mebibyte)}"}`;
        expect(outcomeOf(await send(body, jsonEdit.path)).status).toBe(400);
      });

      test.each(['gzip', 'deflate', 'br', 'zstd', 'compress', 'identity, gzip'])(
        'of 300 MiB, folded with %s, is not unfolded',
        async (encoding) => {
          const answer = await api.send('POST', generation.path, {
            headers: { ...headers, 'content-encoding': encoding },
            body: folded(),
          });
          expect(outcomeOf(answer)).toEqual(wrong(null));
        },
      );
    });

    describe('a member', () => {
      test('called __proto__ or constructor changes nothing', async () => {
        const tricks = [
          '"__proto__":{"n":10,"stream":true}',
          '"constructor":{"prototype":{"n":10}}',
          '"toString":1,"valueOf":null,"hasOwnProperty":[]',
        ];
        for (const trick of tricks) {
          const { status, body } = await send(`${start},${trick}}`);
          expect(status).toBe(200);
          expect(body).toMatchObject({ usage: { images: 1 } });
        }
        expect(({} as Record<string, unknown>)['n']).toBeUndefined();
      });

      test('given twice counts as its last', async () => {
        const { body } = await send(`${start},"n":10,"n":1}`);
        expect(body).toMatchObject({ usage: { images: 1 } });
        expect(outcomeOf(await send(`${start},"n":1,"n":11}`))).toEqual(wrong('n'));
      });

      test('that nobody asked for moves no money and calls nobody', async () => {
        const elsewhere = await serveToFetch((_request, response) => response.end());
        const user = await api.app.addUser({ money: '1' });
        const answer = await api.ask(
          generation,
          {
            price: '0.000001',
            cost: 0,
            user_id: api.user.id,
            api_key: api.user.apiKey,
            api_base: elsewhere.url,
            base_url: elsewhere.url,
            webhook_url: elsewhere.url,
            callback: elsewhere.url,
            upstream: elsewhere.url,
          },
          { user },
        );
        expect(answer.headers.get('x-tintype-cost')).toBe('0.04');
        expect(answer.headers.get('x-tintype-balance')).toBe('0.96');
        expect(elsewhere.connections()).toBe(0);
      });

      test('that is wrong is told in JSON, also where a stream was asked for', async () => {
        const answer = await api.ask(generation, { stream: true, n: 2 });
        expect(outcomeOf(answer).status).toBe(400);
        expect(answer.headers.get('content-type')).toContain('application/json');
      });
    });

    describe('a prompt', () => {
      const forged = 'x\r\n\r\nevent: error\r\ndata: {}\r\n\r\n\u2028\u2029\u0085{"level":60}';

      test('cannot forge an event', async () => {
        const prompt = `${smallPrompt} ${forged}`;
        const { text } = await api.ask(generation, { prompt, stream: true, partial_images: 1 });
        const names = readEventStream(text).events.map(({ name }) => name);
        expect(names).toEqual(['image_generation.partial_image', 'image_generation.completed']);
      });

      test('cannot forge a line of the log', async () => {
        logged.length = 0;
        await api.ask(generation, { prompt: `${smallPrompt} ${forged}` });
        await api.ask(generation, { prompt: forged, model: forged, size: forged });
        await expect.poll(() => logged.length).toBeGreaterThan(1);
        for (const line of logged) {
          expect(JSON.parse(line)).toMatchObject({ level: expect.anything() });
          expect(line).not.toContain('event: error');
        }
      });
    });
  },
  { onLogLine: (line) => logged.push(line) },
);

let bomb: Uint8Array<ArrayBuffer> | null = null;

/** What unfolds to 300 MiB. */
function folded(): Uint8Array<ArrayBuffer> {
  bomb ??= new Uint8Array(gzipSync(Buffer.alloc(300 * mebibyte, ' '), { level: 1 }));
  return bomb;
}
