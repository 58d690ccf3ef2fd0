/**
 * Nothing of the content stays: no prompt, picture, file name, address or API key in the database,
 * in a file, in the log, or in an error. The service is a process of its own that logs everything,
 * is asked in every way, fails in every way, and is killed in the middle.
 *
 * An Idempotency-Key is no content: it is stored as it is, and docs/api.md says so.
 */
import { rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { openAccount } from '../server/flows/open-account.ts';
import { issueKey } from '../server/flows/issue-key.ts';
import type { Database } from '../server/db/db.ts';
import { systemClock } from '../server/lib/clock.ts';
import { faults } from '../server/upstreams/upstream.ts';
import { imageLimits } from '../shared/limits.ts';
import { type Answer, answerOf } from './support/api.ts';
import { forEachEngine } from './support/databases.ts';
import {
  type Canary,
  canaryWord,
  disguises,
  filesBelow,
  findCanaries,
  type Place,
} from './support/canaries.ts';
import { contentsOf } from './support/installation.ts';
import { pngChunk, pngHeader, pngPixels, writePng } from './support/pictures.ts';
import { exchange } from './support/raw-http.ts';
import { makeScratchFolder } from './support/scratch.ts';
import { equip, type ServiceProcess, startService } from './support/service-process.ts';
import { amount } from './support/test-admin.ts';
import { dataUrl, type Fields, formOf, generation, json, jsonEdit } from './support/ways-to-ask.ts';

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
    await askThenKill(visit, first);
    // The next one sweeps up behind it.
    const second = await visit.start();
    expect(await visit.generate({ prompt: small })).toMatchObject({ status: 200 });
    second.kill('SIGTERM');
    await second.exit;

    expect(visit.errors.length).toBeGreaterThan(50);
    expect(findCanaries(visit.canaries, await visit.places())).toEqual([]);

    // The same search finds what is there.
    await writeDown(database, visit.word('the prompt'));
    expect(findCanaries(visit.canaries, await visit.places())).toContainEqual(
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
    expect(findCanaries([canary], [{ name: 'a file', content }])).toEqual([
      'it in base64 in a file',
    ]);
  }
  expect(findCanaries([canary], [{ name: 'a file', content: Buffer.from('nothing') }])).toEqual([]);
});

/** A user of one service after the other, and all that they send. */
interface Visit {
  canaries: readonly Canary[];
  /** Every answer that was an error. */
  errors: readonly Answer[];
  apiKey: string;
  word(name: CanaryName): string;
  start(): Promise<ServiceProcess>;
  send(path: string, init: RequestInit): Promise<Answer>;
  generate(fields: Fields): Promise<Answer>;
  edit(fields: Fields): Promise<Answer>;
  editForm(fields: Fields): Promise<Answer>;
  baseUrl(): string;
  /** Everywhere that something could have stayed. */
  places(): Promise<Place[]>;
}

const canaryNames = [
  'the prompt',
  'the rewritten prompt',
  'the file name',
  'a text in the picture',
  'the pixels',
  'a text in the mask',
  'the address of a picture',
  'a wrong value',
  'an unknown field',
  'a wrong key',
  'a header',
  'the query',
] as const;
type CanaryName = (typeof canaryNames)[number];

async function startVisit(
  database: Database,
  location: { url: string | null; dataDir: string },
): Promise<Visit> {
  const words = new Map(canaryNames.map((name) => [name, canaryWord()]));
  const word = (name: CanaryName) => words.get(name) ?? '';
  const apiKey = await openVisitor(database);
  const canaries: Canary[] = [...words].map(([name, text]) => ({ name, bytes: Buffer.from(text) }));
  // Its last four characters are kept, to tell keys apart.
  canaries.push({ name: 'the API key', bytes: Buffer.from(apiKey.slice(7, -4)) });
  const errors: Answer[] = [];
  const services: ServiceProcess[] = [];
  const tmpDir = makeScratchFolder('privacy-tmp');
  const dataDir = location.url === null ? location.dataDir : makeScratchFolder('privacy-data');
  onTestFinished(() => {
    for (const folder of [tmpDir, dataDir]) rmSync(folder, { recursive: true, force: true });
  });
  const baseUrl = () => services.at(-1)?.baseUrl ?? '';
  const send = async (path: string, init: RequestInit) => {
    const headers = { authorization: `Bearer ${apiKey}`, 'x-custom': word('a header') };
    const answer = await answerOf(
      await fetch(`${baseUrl()}${path}`, {
        method: 'POST',
        ...init,
        headers: { ...headers, ...(init.headers as Record<string, string>) },
      }),
    );
    if (answer.status >= 400) errors.push(answer);
    else canaries.push(...pictureCanaries(answer));
    return answer;
  };
  return {
    canaries,
    errors,
    apiKey,
    word,
    send,
    baseUrl,
    start: async () => {
      const service = await startService(location, {
        TMPDIR: tmpDir,
        TINTYPE_DATA_DIR: dataDir,
        TINTYPE_LOG_LEVEL: 'trace',
        TINTYPE_GRACE: '0s',
        TINTYPE_ATTEMPTS_PER_PICTURE: '1',
        TINTYPE_IMAGE_FETCH_PRIVATE_HOSTS: '127.0.0.1',
      });
      services.push(service);
      return service;
    },
    generate: (fields) => send(generation.path, generation.write(fields)),
    edit: (fields) => send(jsonEdit.path, jsonEdit.write(fields)),
    editForm: (fields) => send(jsonEdit.path, { body: formOf(fields) }),
    places: async () => [
      ...filesBelow(dataDir),
      ...filesBelow(tmpDir),
      ...services.map((service, index) => ({
        name: `the output of service ${index}`,
        content: Buffer.from(service.output()),
      })),
      ...errors.map(({ status, headers, text }) => ({
        name: `an error ${status}`,
        content: Buffer.from(`${JSON.stringify([...headers])}${text}`),
      })),
      ...Object.entries(await contentsOf(database)).map(([table, rows]) => ({
        name: `the table ${table}`,
        content: Buffer.from(rows.join('\n')),
      })),
    ],
  };
}

async function openVisitor(database: Database): Promise<string> {
  const admin = { database, clock: systemClock, actor: 'test', reason: null };
  const user = await openAccount(admin, {
    email: 'visitor@example.com',
    name: 'Visitor',
    role: 'user',
    slotsMax: null,
    topUp: amount('100'),
  });
  const { secret } = await issueKey(admin, {
    user: user.id,
    name: 'test',
    prefix: 'tin',
    models: null,
    expiresAt: null,
  });
  return secret;
}

/** A few bytes of each picture that was made. */
function pictureCanaries({ text }: Answer): Canary[] {
  return [...text.matchAll(/"b64_json":"([^"]+)"/g)].map(([, base64 = '']) => {
    const picture = Buffer.from(base64, 'base64');
    const middle = Math.floor(picture.length / 2);
    return { name: 'a picture that was made', bytes: picture.subarray(middle, middle + 24) };
  });
}

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
    await edit({ prompt, images: [{ image_url: `${await servePicture(visit, reference)}` }] }),
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
    ...(await all(['size', 'n', 'mask', 'image_url', 'file_id', `${wrong}file_id`], (field) =>
      edit({ prompt, images, [field]: wrong }),
    )),
    ...(await all(['size', 'n', 'mask', 'image_url', 'file_id', `${wrong}[file_id]`], (field) =>
      editForm({ model: 'gen-image-2', prompt, image: reference, [field]: wrong }),
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
    await editForm({ model: 'gen-image-2', prompt: [prompt, prompt], image: reference }),
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
    await exchange(visit.baseUrl(), `${wrong} /${word('the query')} HTTP/1.1\r\n\r\n`),
    await exchange(visit.baseUrl(), `GET / HTTP/1.1\r\nHost: a\r\n${wrong}\r\n\r\n`),
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
    expect((await generate({ prompt })).status).toBeGreaterThanOrEqual(400);
    expect((await edit({ prompt, images })).status).toBeGreaterThanOrEqual(400);
    expect((await generate({ prompt, stream: true })).status).toBeGreaterThanOrEqual(400);
  }
  const prompt = `${word('the prompt')} ${small} [[fail=protocol@partial1]]`;
  const late = await generate({ prompt, stream: true, partial_images: 2 });
  expect(late.text).toContain('event: error');
}

/** Closes the connection while the picture is being made, with and without a partial image. */
async function leave(visit: Visit): Promise<void> {
  for (const fields of [{}, { stream: true, partial_images: 1 }]) {
    const connection = new AbortController();
    const prompt = `${visit.word('the prompt')} ${small} [[delay=3s]]`;
    const { headers, body } = generation.write({ prompt, ...fields });
    const asked = fetch(`${visit.baseUrl()}${generation.path}`, {
      method: 'POST',
      headers: { ...headers, authorization: `Bearer ${visit.apiKey}` },
      body,
      signal: connection.signal,
    });
    // A stream is left when it has begun, any other request once it is sent.
    await Promise.race([asked, visit.generate({ prompt: small })]);
    connection.abort();
    await expect(asked.then((response) => response.text())).rejects.toThrow();
  }
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
  ].map((answer) => expect(answer).rejects.toThrow());
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
