/**
 * Nothing of the content stays: no prompt, picture, file name, address or API key in the database,
 * in a file, in the log, or in an error. The service is a process of its own that logs everything,
 * is asked in every way, fails in every way, and is killed in the middle.
 *
 * An Idempotency-Key is no content: it is stored as it is, and docs/api.md says so.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import type { Database } from '../server/db/db.ts';
import { faults } from '../server/upstreams/upstream.ts';
import { imageLimits } from '../shared/limits.ts';
import type { Answer } from './support/callers/api.ts';
import {
  dataUrl,
  type Fields,
  formOf,
  generation,
  json,
  jsonEdit,
} from './support/callers/ways-to-ask.ts';
import { forEachEngine } from './support/databases/databases.ts';
import { type Canary, canaryWord, disguises, findCanaries } from './support/history/canaries.ts';
import { startVisit, type Visit } from './support/history/canary-visit.ts';
import { pngChunk, pngHeader, pngPixels, writePng } from './support/pictures.ts';
import { equip, type ServiceProcess } from './support/processes/service-process.ts';

const small = '[[actual=32x32]]';

forEachEngine((engine) => {
  test('nothing of the content stays', async () => {
    const database = await engine.open();
    await equip(database);
    const visit = await startVisit(database, engine.locationOf(database));
    const first = await visit.start();
    await askForPictures(visit);
    await beRefused(visit);
    await beFailed(visit);
    await leave(visit);
    await askThenKill(visit, first); // The next one sweeps up behind it.
    const second = await visit.start();
    expect(await visit.generate({ prompt: small })).toMatchObject({ status: 200 });
    second.kill('SIGTERM');
    await second.exit;
    expect(visit.errors.length).toBeGreaterThan(50);
    expect(findCanaries(visit.canaries, await visit.kept())).toEqual([]);
    const secrets = visit.canaries.filter(({ name }) => name !== 'a field name');
    expect(findCanaries(secrets, visit.told())).toEqual([]);

    // The same search finds what is there.
    await writeDown(database, visit.word('the prompt'));
    expect(findCanaries(visit.canaries, await visit.kept())).toContainEqual(
      expect.stringMatching(/^the prompt as it is in /),
    );
  });
});

test('the search finds a canary in every disguise, at any place', () => {
  const bytes = Buffer.from(canaryWord());
  const canary: Canary = { name: 'it', bytes };
  for (const { as, form, hasCase } of disguises(bytes)) {
    const content = Buffer.concat([Buffer.from('before/'), form, Buffer.from('/after')]);
    const written = hasCase ? content : Buffer.from(content.toString().toUpperCase());
    const found = findCanaries([canary], [{ name: 'a file', content: written }]);
    expect(found).toContain(`it ${as} in a file`);
  }
  for (const offset of [0, 1, 2, 3]) {
    const text = Buffer.concat([Buffer.alloc(offset, 'x'), bytes, Buffer.from('yz')]);
    const content = Buffer.from(text.toString('base64'));
    expect(findCanaries([canary], [{ name: 'a file', content }])).toContain(
      'it in base64 in a file',
    );
  }
  expect(findCanaries([canary], [{ name: 'a file', content: Buffer.from('nothing') }])).toEqual([]);
});

/** A picture with a text and a block of pixels that can be told anywhere. */
function pictureWith(text: string, pixels: string): Buffer {
  const comment = pngChunk('tEXt', Buffer.from(`Comment\0${text}`));
  const filling = pngChunk('fiLl', Buffer.from(pixels));
  return writePng([pngHeader(), comment, filling, pngPixels(), pngChunk('IEND')]);
}

function maskWith(text: string): Buffer {
  const header = pngHeader({ colourType: 6 });
  const comment = pngChunk('tEXt', Buffer.from(`Comment\0${text}`));
  return writePng([header, comment, pngPixels(), pngChunk('IEND')]);
}

async function askForPictures(visit: Visit): Promise<void> {
  const { word, generate, edit, editForm } = visit;
  const prompt = `${word('the prompt')} ${small} [[revise=${word('the rewritten prompt')}]]`;
  const reference = pictureWith(word('a text in the picture'), word('the pixels'));
  const images = [{ image_url: dataUrl(reference) }];
  const made = [
    await generate({ prompt, unknown: word('an unknown field'), user: word('an unknown field') }),
    await generate({ prompt, n: 3, output_format: 'webp' }),
    await generate({ prompt, response_format: 'url' }),
    await generate({ prompt, stream: true, partial_images: 3 }),
    await edit({ prompt, images }),
    await edit({ prompt, images, stream: true, partial_images: 1 }),
    await edit({ prompt, images: [{ image_url: await servePicture(visit, reference) }] }),
    await editForm({ model: 'gen-image-2', prompt, 'image[]': [reference, reference] }),
    await visit.send(jsonEdit.path, { body: namedForm(visit, prompt, reference) }),
  ];
  expect(made.map(({ status }) => status)).toEqual(made.map(() => 200));
  // Twice the same: the answer waits in memory, and only there.
  for (let i = 0; i < 2; i++) {
    const { headers, body } = generation.write({ prompt });
    const keyed = { ...headers, 'idempotency-key': 'order-1' };
    expect(await visit.send(generation.path, { headers: keyed, body })).toMatchObject({
      status: 200,
    });
  }
}

function namedForm(visit: Visit, prompt: string, reference: Buffer): FormData {
  const form = formOf({ model: 'gen-image-2', prompt, extra: visit.word('an unknown field') });
  const name = `${visit.word('the file name')}.png`;
  form.append('image', new Blob([new Uint8Array(reference)]), name);
  return form;
}

/** The address of a picture on a server that the service may fetch from. */
async function servePicture({ word }: Visit, picture: Buffer): Promise<string> {
  const server = createServer((_request, response) => response.end(picture));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  // A listening TCP server's address is never a string.
  const { port } = server.address() as AddressInfo;
  return `http://127.0.0.1:${port}/${word('the address of a picture')}.png`;
}

/** Everything that can be wrong with a request. */
async function beRefused(visit: Visit): Promise<void> {
  const { word, send, generate, edit, editForm } = visit;
  const prompt = `${word('the prompt')} ${small}`;
  const wrong = word('a wrong value');
  const address = `http://127.0.0.1:1/${word('the address of a picture')}`;
  const reference = pictureWith(word('a text in the picture'), word('the pixels'));
  const mask = maskWith(word('a text in the mask'));
  const images = [{ image_url: dataUrl(reference) }];
  const long = Buffer.alloc(imageLimits.fileBytesMax + 1, word('the pixels'));
  const asJson = json({}).headers;
  const refused = [
    ...(await all(['model', 'size', 'quality', 'n', 'stream', 'background'], (field) =>
      generate({ prompt, [field]: wrong }),
    )),
    ...(await all(
      ['size', 'n', 'mask', 'image_url', 'file_id', `${word('a field name')}_file_id`],
      (field) => edit({ prompt, images, [field]: wrong }),
    )),
    ...(await all(
      ['size', 'n', 'mask', 'image_url', 'file_id', `${word('a field name')}[file_id]`],
      (field) => editForm({ model: 'gen-image-2', prompt, image: reference, [field]: wrong }),
    )),
    await generate({ prompt: word('the prompt').repeat(2_000) }),
    await edit({ prompt, images: [{ image_url: wrong }] }),
    await edit({ prompt, images: [{ image_url: address }] }),
    await edit({ prompt, images: [{ image_url: dataUrl(Buffer.from(word('the pixels'))) }] }),
    await edit({ prompt, images: [{ image_url: dataUrl(long) }] }),
    await edit({ prompt, images, mask: { image_url: dataUrl(reference) } }),
    await edit({ prompt, images, mask: { image_url: dataUrl(mask), [wrong]: wrong } }),
    await editForm({ model: 'gen-image-2', prompt, image: Buffer.from(word('the pixels')) }),
    await editForm({ model: 'gen-image-2', prompt, image: long }),
    await editForm({ model: 'gen-image-2', prompt, image: reference, mask: reference }),
    await editForm({ model: 'gen-image-2', prompt, [wrong]: reference }),
    await editForm({ model: 'gen-image-2', prompt: [prompt, wrong], image: reference }),
    await send(generation.path, { headers: asJson, body: `{"prompt":"${prompt}` }),
    await send(generation.path, { headers: asJson, body: `${prompt}{}` }),
    await send(generation.path, { headers: { 'content-type': wrong }, body: prompt }),
    await send(jsonEdit.path, {
      headers: { 'content-type': `multipart/form-data; boundary=${wrong}` },
      body: `--${wrong}\r\nContent-Disposition: form-data; name="${wrong}"\r\n\r\n${prompt}`,
    }),
    await send(generation.path, {
      headers: { ...asJson, authorization: `Bearer ${word('a wrong key')}` },
      body: generation.write({ prompt }).body,
    }),
    await send(`/v1/${wrong}?${word('the query')}`, { body: prompt }),
    await send(`/v1/models/${wrong}%E0%A4%A?${word('the query')}`, { method: 'GET' }),
    await send(`/v1/models/${wrong.repeat(20)}`, { method: 'GET' }),
    await send(`/v1/models?${word('the query')}`, { method: 'DELETE' }),
    await visit.sendBytes(`${wrong} /${word('the query')} HTTP/1.1\r\n\r\n`),
    await visit.sendBytes(`GET / HTTP/1.1\r\nHost: a\r\n${wrong}\r\n\r\n`),
  ];
  expect(refused.filter(({ status }) => status < 400)).toEqual([]);
}

/** Every way in which an upstream goes wrong. */
async function beFailed(visit: Visit): Promise<void> {
  const { word, generate, edit } = visit;
  const reference = pictureWith(word('a text in the picture'), word('the pixels'));
  const images = [{ image_url: dataUrl(reference) }];
  const kinds = faults.filter((fault) => fault !== 'canceled').map((fault) => `fail=${fault}`);
  const broken = ['drop', 'corrupt', 'truncate', 'empty', 'text'];
  const unread = [word('a wrong value'), `fail=${word('a wrong value')}`];
  for (const directive of [...kinds, ...broken, ...unread]) {
    const prompt = `${word('the prompt')} [[${directive}]]`;
    for (const fail of [
      () => generate({ prompt }),
      () => edit({ prompt, images }),
      () => generate({ prompt, stream: true }),
    ]) {
      expect((await fail()).status).toBeGreaterThanOrEqual(400);
      // A picture in between, or the breaker would keep the next failure from the upstream.
      expect((await generate({ prompt: small })).status).toBe(200);
    }
  }
  const prompt = `${word('the prompt')} ${small} [[fail=protocol@partial1]]`;
  const late = await generate({ prompt, stream: true, partial_images: 2 });
  expect(late.text).toContain('event: error');
}

/** Closes the connection while the picture is being made, before and after a partial image. */
async function leave(visit: Visit): Promise<void> {
  const plain = await begin(visit, { prompt: '[[delay=300s]]' });
  await visit.generate({ prompt: small });
  await plain.leave();
  const stream = await begin(visit, {
    prompt: `${small} [[delay=4s]]`,
    stream: true,
    partial_images: 3,
  });
  await stream.begun;
  await stream.leave();
}

/** A request whose answer nobody will read to its end. */
async function begin({ word, baseUrl, apiKey }: Visit, fields: Fields & { prompt: string }) {
  const connection = new AbortController();
  const prompt = `${word('the prompt')} ${fields.prompt}`;
  const { headers, body } = generation.write({ ...fields, prompt });
  const begun = fetch(`${baseUrl()}${generation.path}`, {
    method: 'POST',
    headers: { ...headers, authorization: `Bearer ${apiKey}` },
    body,
    signal: connection.signal,
  });
  const read = begun.then((response) => response.text());
  return {
    begun,
    leave: async () => {
      connection.abort();
      await expect(read).rejects.toThrow(/abort/);
    },
  };
}

/** Kills the service while it is at work on several requests. */
async function askThenKill(visit: Visit, service: ServiceProcess): Promise<void> {
  const prompt = `${visit.word('the prompt')} ${small} [[delay=300s]]`;
  const reference = pictureWith(visit.word('a text in the picture'), visit.word('the pixels'));
  const cut = [
    visit.generate({ prompt }),
    visit.generate({ prompt, stream: true, partial_images: 1 }),
    visit.edit({ prompt, images: [{ image_url: dataUrl(reference) }] }),
    visit.editForm({ model: 'gen-image-2', prompt, image: reference }),
  ].map((answer) => expect(answer).rejects.toThrow(/fetch failed|terminated/));
  await visit.generate({ prompt: small });
  service.kill('SIGKILL');
  await service.exit;
  await Promise.all(cut);
}

async function all<T>(items: readonly T[], send: (item: T) => Promise<Answer>): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (const item of items) answers.push(await send(item));
  return answers;
}

/** What a careless change might do. */
async function writeDown(database: Database, text: string): Promise<void> {
  await database.transaction((trx) =>
    trx.kysely.updateTable('usage_records').set({ quality: text }).execute(),
  );
}
