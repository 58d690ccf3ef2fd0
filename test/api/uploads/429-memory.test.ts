/** Uploads take memory from one budget: what has no room is a 429, and every byte comes back. */
import { once } from 'node:events';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { must } from '../../../server/lib/assert.ts';
import { KeptBytes } from '../../../server/lib/bytes/kept-bytes.ts';
import { answerOf, describeApi, outcomeOf } from '../../support/callers/api.ts';
import { openSocket, uploadOf } from '../../support/callers/upload-socket.ts';
import { dataUrl, dot, formEdit, jsonEdit, waysToEdit } from '../../support/callers/ways-to-ask.ts';
import { sumOf } from '../../support/metrics-text.ts';
import { pngOfLength } from '../../support/pictures.ts';

const mebibyte = 1_048_576;
const budget = 16 * mebibyte;
const patience = { timeout: 60_000, interval: 20 };

/** How many bytes lay in memory that is gone since. */
function watchFreed(): () => number {
  let bytes = 0;
  const free: (this: KeptBytes) => void = Reflect.get(KeptBytes.prototype, 'free');
  const spy = vi.spyOn(KeptBytes.prototype, 'free').mockImplementation(function (this: KeptBytes) {
    const pieces = this.pieces.map(({ buffer, length }) => ({ buffer, length }));
    free.call(this);
    for (const { buffer, length } of pieces) if (buffer.byteLength === 0) bytes += length;
  });
  onTestFinished(() => spy.mockRestore());
  return () => bytes;
}

describeApi(
  (api) => {
    const used = () => api.app.app.memoryBudget.used;

    async function refusals(): Promise<number> {
      const response = await fetch(`${must(api.app.app.metricsUrl, 'a port')}/metrics`);
      const text = await response.text();
      return sumOf(text, 'tintype_memory_refusals_total', { part: 'upload' });
    }

    describe('an upload', () => {
      test('gives back what it took when its answer is out', async () => {
        const answer = await api.ask(formEdit, { image: pngOfLength(4 * mebibyte) });
        expect(answer.status).toBe(200);
        await expect.poll(used, patience).toBe(0);
      });

      test('gives back what it took when it is refused', async () => {
        const wrongs = [{ model: 'nothing' }, { n: 0 }, { image: Buffer.alloc(4 * mebibyte) }];
        for (const fields of wrongs) {
          const large = { image: pngOfLength(4 * mebibyte), ...fields };
          expect((await api.ask(formEdit, large)).status).toBe(400);
        }
        expect((await api.ask(formEdit, { image: dot }, { user: null })).status).toBe(401);
        await expect.poll(used, patience).toBe(0);
      });

      test('gives back what it took when its sender leaves, wherever that is', async () => {
        const { head, body } = uploadOf(pngOfLength(mebibyte), api.user.apiKey);
        const sockets = Array.from({ length: 50 }, () => openSocket(api.app.baseUrl));
        let seen = 0;
        for (const [index, socket] of sockets.entries()) {
          await once(socket, 'connect');
          socket.write(head);
          socket.write(body.subarray(0, Math.floor((body.length * index) / 50)));
        }
        await expect
          .poll(() => {
            seen = Math.max(seen, used());
            return seen;
          }, patience)
          .toBeGreaterThan(0);
        // One half says goodbye, the other is reset.
        for (const [index, socket] of sockets.entries()) {
          if (index % 2 === 0) socket.destroy();
          else socket.resetAndDestroy();
        }
        await expect.poll(used, patience).toBe(0);
        expect(api.app.app.memoryBudget.waiting).toBe(0);
      });

      test('gives back what it took when its caller leaves the run', async () => {
        const prompt = 'a fox [[delay=300s]]';
        const { head, body } = uploadOf(pngOfLength(4 * mebibyte), api.user.apiKey, prompt);
        const socket = openSocket(api.app.baseUrl);
        socket.write(head);
        socket.write(body);
        await expect.poll(used, patience).toBe(body.length);
        socket.destroy();
        await expect.poll(used, patience).toBe(0);
      });

      test('holds nothing of its pictures when its answer waits for a repeat', async () => {
        const headers = { 'idempotency-key': 'memory' };
        const fields = { image: pngOfLength(4 * mebibyte) };
        expect((await api.ask(formEdit, fields, { headers })).status).toBe(200);
        // The answer itself is counted as long as it waits.
        await expect.poll(used, patience).toBeLessThan(mebibyte);
        expect(used()).toBeGreaterThan(0);
        const repeat = await api.ask(formEdit, fields, { headers });
        expect(repeat.headers.get('idempotent-replayed')).toBe('true');
        await expect.poll(used, patience).toBeLessThan(mebibyte);
      });

      test.each(waysToEdit)('is out of the memory as soon as it ends, $name', async (way) => {
        const freed = watchFreed();
        const image = pngOfLength(4 * mebibyte);
        const isJson = way === jsonEdit;
        const picture = isJson ? { images: [{ image_url: dataUrl(image) }] } : { image };
        // In JSON a body goes when its pictures are decoded, and they when they are sent.
        const pictures = isJson ? { inBody: 4 / 3, inAll: 7 / 3 } : { inBody: 1, inAll: 1 };
        // Besides small pieces, which share their memory.
        const bytes = 0.99 * image.length;
        expect((await api.ask(way, { ...picture, n: 0 })).status).toBe(400);
        expect(freed()).toBeGreaterThan(bytes * pictures.inBody);
        const headers = { 'idempotency-key': way.name };
        expect((await api.ask(way, picture, { headers })).status).toBe(200);
        await expect
          .poll(freed, patience)
          .toBeGreaterThan(bytes * (pictures.inBody + pictures.inAll));
        const repeat = await api.ask(way, picture, { headers });
        expect(repeat.headers.get('idempotent-replayed')).toBe('true');
        await expect
          .poll(freed, patience)
          .toBeGreaterThan(bytes * (pictures.inBody + 2 * pictures.inAll));
      });
    });

    describe('what one request may take', () => {
      test('is all of the budget but what small bodies have', async () => {
        const fits = uploadOf(pngOfLength(14 * mebibyte), api.user.apiKey);
        expect(fits.body.length).toBeLessThan((budget / 16) * 15);
        const answer = await api.ask(formEdit, { image: pngOfLength(14 * mebibyte) });
        expect(answer.status).toBe(200);
      });

      test('is refused at once when there never can be so much, and the option is named', async () => {
        const pictures = [pngOfLength(8 * mebibyte), pngOfLength(8 * mebibyte)];
        const answer = await api.ask(formEdit, { image: pictures });
        expect(outcomeOf(answer)).toMatchObject({ status: 400, code: 'invalid_request_error' });
        expect(answer.text).toContain('TINTYPE_MEMORY_BUDGET');
        await expect.poll(used, patience).toBeLessThan(mebibyte);
      });

      test('counts what is made of a JSON body too', async () => {
        const url = `data:image/png;base64,${pngOfLength(7 * mebibyte).toString('base64')}`;
        // The text alone has room; the text and the picture have not.
        const answer = await api.ask(jsonEdit, { images: [{ image_url: url }] });
        expect(outcomeOf(answer)).toMatchObject({ status: 400 });
        expect(answer.text).toContain('TINTYPE_MEMORY_BUDGET');
        await expect.poll(used, patience).toBeLessThan(mebibyte);
      });

      test('is the same for a body that does not say how long it is', async () => {
        const send = (bytes: number) => {
          const { body } = uploadOf(pngOfLength(bytes), '');
          return fetch(`${api.app.baseUrl}/v1/images/edits`, {
            method: 'POST',
            duplex: 'half',
            headers: {
              authorization: `Bearer ${api.user.apiKey}`,
              'content-type': 'multipart/form-data; boundary=boundary',
            },
            body: new Blob([new Uint8Array(body)]).stream(),
          });
        };
        expect((await send(12 * mebibyte)).status).toBe(200);
        const refused = await answerOf(await send(16 * mebibyte));
        expect(refused.status).toBe(400);
        expect(refused.text).toContain('TINTYPE_MEMORY_BUDGET');
        await expect.poll(used, patience).toBeLessThan(mebibyte);
      });
    });

    describe('when the budget is taken', () => {
      test('an upload is a 429 that says when to come back, and small requests go on', async () => {
        const { head, body } = uploadOf(pngOfLength(14 * mebibyte), api.user.apiKey);
        const holder = openSocket(api.app.baseUrl);
        holder.write(head);
        await expect.poll(used, patience).toBeGreaterThanOrEqual(body.length);
        const before = await refusals();
        const [refused, small] = await Promise.all([
          api.ask(formEdit, { image: pngOfLength(2 * mebibyte) }),
          api.ask(formEdit),
        ]);
        expect(outcomeOf(refused)).toEqual({ status: 429, code: 'rate_limit', param: null });
        expect(await refusals()).toBe(before + 1);
        expect(refused.headers.get('retry-after')).toBe('2');
        expect(small.status).toBe(200);
        // It waits for the room that comes free.
        const waiting = api.ask(formEdit, { image: pngOfLength(2 * mebibyte) });
        await expect.poll(() => api.app.app.memoryBudget.waiting, patience).toBe(1);
        holder.destroy();
        expect((await waiting).status).toBe(200);
        await expect.poll(used, patience).toBeLessThan(mebibyte);
      });

      test('who asks first whether to send is not told to before there is room', async () => {
        const { head, body } = uploadOf(pngOfLength(14 * mebibyte), api.user.apiKey);
        const holder = openSocket(api.app.baseUrl);
        holder.write(head);
        await expect.poll(used, patience).toBeGreaterThanOrEqual(body.length);
        const polite = openSocket(api.app.baseUrl);
        let heard = '';
        polite.on('data', (piece: Buffer) => {
          heard += piece.toString('latin1');
        });
        polite.write(head.replace('\r\n\r\n', '\r\nexpect: 100-continue\r\n\r\n'));
        await expect.poll(() => heard, patience).toContain('429 Too Many Requests');
        expect(heard).not.toContain('100 Continue');
        polite.destroy();
        holder.destroy();
      });
    });
  },
  { config: { memoryBudgetBytes: budget, graceMs: 0, metricsPort: 0 } },
);
