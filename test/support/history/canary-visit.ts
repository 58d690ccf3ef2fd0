/** A user whose every word is a canary, and who sees one service after the other. */
import { rmSync } from 'node:fs';
import { onTestFinished } from 'vitest';
import type { Database } from '../../../server/db/db.ts';
import { issueKey } from '../../../server/flows/keys/issue-key.ts';
import { openAccount } from '../../../server/flows/users/open-account.ts';
import { systemClock } from '../../../server/lib/clock.ts';
import { type Answer, answerOf } from '../callers/api.ts';
import { exchange } from '../callers/raw-http.ts';
import { type Body, type Fields, formOf, generation, jsonEdit } from '../callers/ways-to-ask.ts';
import { amount } from '../console/test-admin.ts';
import type { DatabaseLocation } from '../databases/databases.ts';
import { type ServiceProcess, startService } from '../processes/service-process.ts';
import { makeScratchFolder } from '../scratch.ts';
import { type Canary, canaryWord, filesBelow, type Place } from './canaries.ts';
import { contentsOf } from './installation.ts';

export interface VisitInit {
  method?: string;
  headers?: Record<string, string>;
  body?: Body;
}

export interface Visit {
  canaries: readonly Canary[];
  /** Every answer that was an error. */
  errors: readonly Answer[];
  apiKey: string;
  word: (name: CanaryName) => string;
  start: () => Promise<ServiceProcess>;
  send: (path: string, init: VisitInit) => Promise<Answer>;
  generate: (fields: Fields) => Promise<Answer>;
  edit: (fields: Fields) => Promise<Answer>;
  editForm: (fields: Fields) => Promise<Answer>;
  /** What is no HTTP, on a connection of its own. */
  sendBytes: (bytes: string) => Promise<Answer>;
  baseUrl: () => string;
  /** Everywhere that something could have stayed. */
  kept: () => Promise<Place[]>;
  /** What the errors said. */
  told: () => Place[];
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
  // An error may name it, to whoever sent it.
  'a field name',
] as const;
type CanaryName = (typeof canaryNames)[number];

export async function startVisit(database: Database, location: DatabaseLocation): Promise<Visit> {
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
  const send = async (path: string, init: VisitInit) => {
    const headers = { authorization: `Bearer ${apiKey}`, 'x-custom': word('a header') };
    const answer = await answerOf(
      await fetch(`${baseUrl()}${path}`, {
        method: 'POST',
        ...init,
        headers: { ...headers, ...init.headers },
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
    sendBytes: async (bytes) => {
      const answer = await exchange(baseUrl(), bytes);
      errors.push(answer);
      return answer;
    },
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
    kept: async () => [
      ...filesBelow(dataDir),
      ...filesBelow(tmpDir),
      ...services.map((service, index) => ({
        name: `the output of service ${index + 1}`,
        content: Buffer.from(service.output()),
      })),
      ...Object.entries(await contentsOf(database)).map(([table, rows]) => ({
        name: `the table ${table}`,
        content: Buffer.from(rows.join('\n')),
      })),
    ],
    told: () =>
      errors.map(({ status, headers, text }) => ({
        name: `an error ${status}`,
        content: Buffer.from(`${JSON.stringify([...headers])}${text}`),
      })),
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
