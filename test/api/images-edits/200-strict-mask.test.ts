/** An edit with a mask by a mapping that is strict: what is outside stays as it was, to the pixel. */
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pictureOf } from '../../support/callers/answers.ts';
import { type Answer, describeApi, outcomeOf, wrong } from '../../support/callers/api.ts';
import { readEventStream } from '../../support/callers/event-stream.ts';
import {
  dataUrl,
  type Fields,
  formEdit,
  jsonEdit,
  type Way,
} from '../../support/callers/ways-to-ask.ts';
import { spentBy } from '../../support/money/spent.ts';
import { attemptsOf, type Server, serveModel } from '../../support/upstreams/served-model.ts';
import type { SeenRequest } from '../../upstreams/contract-subject.ts';
import { whole } from '../../upstreams/deliveries.ts';
import { FakeService } from '../../upstreams/fake-service.ts';
import { openaiSubject } from '../../upstreams/openai-images.ts';

const size = { width: 96, height: 64 };
const { fake: protocol, credential, upstreamModel } = openaiSubject();
/** What is to be changed. */
const hole = { left: 24, top: 16, width: 48, height: 32 };

describeApi((api) => {
  let reference: Buffer;
  let mask: Buffer;
  let service: FakeService;

  beforeAll(async () => {
    const red = { create: { ...size, channels: 3, background: '#f00' } } as const;
    const repainted = await sharp(red).png().toBuffer();
    const main = (request: SeenRequest) => ({
      answer: protocol.picture(repainted, request),
      deliver: whole,
    });
    service = await FakeService.start({ protocol, main });
    reference = await sharp(noise(), { raw: { ...size, channels: 3 } })
      .png()
      .toBuffer();
    const opening = { create: { ...hole, channels: 4, background: '#fff' } } as const;
    const cut = {
      input: await sharp(opening).png().toBuffer(),
      ...hole,
      blend: 'dest-out',
    } as const;
    const veil = { create: { ...size, channels: 4, background: '#000' } } as const;
    mask = await sharp(veil).composite([cut]).png().toBuffer();
  });

  afterAll(() => service.stop());

  const fieldsOf = ({ form }: Way): Fields =>
    form === 'multipart'
      ? { image: reference, mask }
      : { images: [{ image_url: dataUrl(reference) }], mask: { image_url: dataUrl(mask) } };

  /** An engine that repaints all of the picture, whatever the mask. */
  const repainter = (strictMask: boolean): Server => ({
    kind: 'openai-images',
    baseUrl: `${service.origin}${protocol.basePath}`,
    credential,
    settings: { dialect: 'openai' },
    upstreamModel,
    strictMask,
  });

  /** How many pixels differ from the reference image, within the hole and outside. */
  async function changes(answer: Answer): Promise<{ inside: number; outside: number }> {
    const [before, after] = await Promise.all([reference, pictureOf(answer)].map(pixelsOf));
    const changed = { inside: 0, outside: 0 };
    for (let i = 0; i < size.width * size.height; i++) {
      const [x, y] = [i % size.width, Math.floor(i / size.width)];
      const isInside =
        x >= hole.left && x < hole.left + hole.width && y >= hole.top && y < hole.top + hole.height;
      const pixel = (pixels: Buffer | undefined) => pixels?.toString('hex', i * 3, i * 3 + 3);
      if (pixel(before) !== pixel(after)) changed[isInside ? 'inside' : 'outside']++;
    }
    return changed;
  }

  describe.each([jsonEdit, formEdit])('in $name', (way) => {
    test('nothing outside the mask is changed, and all of the inside is', async () => {
      const { id } = await serveModel(api.app, { only: repainter(true) });
      const user = await api.app.addUser({ money: '1' });
      const answer = await api.ask(way, { ...fieldsOf(way), model: id }, { user });
      expect(await changes(answer)).toEqual({ inside: hole.width * hole.height, outside: 0 });
      expect(await spentBy(api.app.database, user)).toEqual(['0.10']);
    });

    test('by a mapping that is not strict the engine has its way', async () => {
      const { id } = await serveModel(api.app, { only: repainter(false) });
      const answer = await api.ask(way, { ...fieldsOf(way), model: id });
      expect((await changes(answer)).outside).toBeGreaterThan(1_000);
    });
  });

  test('without a mask all of it may change', async () => {
    const { id } = await serveModel(api.app, { only: repainter(true) });
    const { mask: _mask, ...fields } = fieldsOf(formEdit);
    const answer = await api.ask(formEdit, { ...fields, model: id });
    expect((await changes(answer)).outside).toBeGreaterThan(1_000);
  });

  test('a size of other proportions is a 400, and nobody is asked', async () => {
    const { id, calls } = await serveModel(api.app, { only: { strictMask: true } });
    const user = await api.app.addUser({ money: '1' });
    const fields = { ...fieldsOf(formEdit), model: id, size: '1024x1024' };
    expect(outcomeOf(await api.ask(formEdit, fields, { user }))).toEqual(wrong('size'));
    expect(calls('only')).toBe(0);
    expect(await spentBy(api.app.database, user)).toEqual([]);
    const fitting = { ...fields, prompt: 'a fox', size: '1536x1024' };
    expect(await api.ask(formEdit, fitting, { user })).toMatchObject({ status: 200 });
  });

  test('such a size goes to an upstream that is not strict, where there is one', async () => {
    const servers = { strict: { strictMask: true }, free: {} };
    const { id, calls } = await serveModel(api.app, servers);
    const fields = { ...fieldsOf(formEdit), model: id, size: '1024x1024' };
    expect(await api.ask(formEdit, fields)).toMatchObject({ status: 200 });
    expect([calls('strict'), calls('free')]).toEqual([0, 1]);
  });

  test('where an upstream chooses a size that does not fit, the next one is asked', async () => {
    const steady = { settings: { directives: 'off' }, strictMask: true };
    const { id } = await serveModel(api.app, { wrong: { strictMask: true }, right: steady });
    const user = await api.app.addUser({ money: '1' });
    const fields = { ...fieldsOf(formEdit), model: id, prompt: 'a fox [[actual=64x64]]' };
    const answer = await api.ask(formEdit, fields, { user });
    expect((await changes(answer)).outside).toBe(0);
    expect(await attemptsOf(api.app, answer)).toMatchObject([
      { upstream: 'wrong', fault: 'unsupported', possibly_charged: true },
      { upstream: 'right', fault: null },
    ]);
    expect(await spentBy(api.app.database, user)).toEqual(['0.10']);
  });

  test.each([
    ['auto', wrong('size'), 'unsupported'],
    ['1536x1024', { status: 502, code: 'upstream_error', param: null }, 'protocol'],
  ])(
    'of a picture that fits no mask, by a size of %s, nobody sees a partial image',
    async (asked, outcome, fault) => {
      const { id, calls } = await serveModel(api.app, { only: { strictMask: true } });
      const user = await api.app.addUser({ money: '1' });
      const wanted = {
        prompt: 'a fox [[actual=64x64]]',
        size: asked,
        stream: true,
        partial_images: 3,
      };
      const fields = { ...fieldsOf(jsonEdit), ...wanted, model: id };
      const answer = await api.ask(jsonEdit, fields, { user });
      expect(outcomeOf(answer)).toEqual(outcome);
      expect(await attemptsOf(api.app, answer)).toMatchObject([{ fault, possibly_charged: true }]);
      expect(calls('only')).toBe(1);
      expect(await spentBy(api.app.database, user)).toEqual([]);
    },
  );

  test('of a picture that fits the mask partial images are shown as they come', async () => {
    const { id } = await serveModel(api.app, { only: { strictMask: true } });
    const wanted = { stream: true, partial_images: 2, prompt: 'a fox' };
    const { text } = await api.ask(jsonEdit, { ...fieldsOf(jsonEdit), ...wanted, model: id });
    const names = readEventStream(text).events.map(({ name }) => name);
    const partial = 'image_edit.partial_image';
    expect(names).toEqual([partial, partial, 'image_edit.completed']);
  });
});

/** No two pixels beside each other are alike. */
function noise(): Buffer {
  return Buffer.from(
    Array.from({ length: size.width * size.height * 3 }, (_, i) => (i * 89) % 251),
  );
}

async function pixelsOf(picture: Buffer): Promise<Buffer> {
  return sharp(picture).removeAlpha().raw().toBuffer();
}
