import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { must } from '../../../server/lib/assert.ts';
import { describeApi } from '../../support/callers/api.ts';
import { readEventStream } from '../../support/callers/event-stream.ts';
import { generation } from '../../support/callers/ways-to-ask.ts';
import { pngOfLength } from '../../support/pictures.ts';
import { serveModel } from '../../support/upstreams/served-model.ts';

/** Base64 of the picture that a prompt `bytes:<number>` asks for; each length is another picture. */
function pictureFor(prompt: string): string {
  return pngOfLength(Number(prompt.split(':')[1])).toString('base64');
}

const service = createServer((request, response) => {
  answer(request, response).catch((error: unknown) => response.destroy(error as Error));
});

/** Lists one model. Makes the picture that the prompt asks for; by its length, half of them in chunks. */
async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.method === 'GET') {
    response.end(JSON.stringify({ data: [{ id: 'gpt-image-2' }] }));
    return;
  }
  const { prompt, stream } = JSON.parse(await text(request)) as {
    prompt: string;
    stream?: boolean;
  };
  const b64_json = pictureFor(prompt);
  if (stream) writeEvents(response, b64_json);
  else {
    const body = Buffer.from(JSON.stringify({ data: [{ b64_json }] }));
    if (body.length % 2 === 0) response.setHeader('content-length', body.length);
    response.setHeader('content-type', 'application/json').write(body.subarray(0, 1_000));
    response.end(body.subarray(1_000));
  }
}

function writeEvents(response: ServerResponse, b64_json: string): void {
  response.setHeader('content-type', 'text/event-stream');
  const event = (type: string) => `data: ${JSON.stringify({ type, b64_json })}\n\n`;
  response.write(event('image_generation.partial_image'));
  response.end(event('image_generation.completed'));
}

beforeAll(async () => {
  service.listen(0, '127.0.0.1');
  await once(service, 'listening');
});
afterAll(() => {
  service.close();
  service.closeAllConnections();
});

describe('large pictures', () => {
  describeApi((api) => {
    async function modelOf(stream: 'never' | 'partials'): Promise<string> {
      const { port } = service.address() as AddressInfo;
      const model = await serveModel(api.app, {
        gallery: {
          kind: 'openai-images',
          baseUrl: `http://127.0.0.1:${port}/v1`,
          credential: 'sk-large-pictures',
          settings: { dialect: 'openai', stream },
          upstreamModel: 'gpt-image-2',
        },
      });
      return model.id;
    }

    /** Whose picture is to be the one that was asked for, to the last byte. */
    async function askForOne(
      model: string,
      prompt: string,
      headers: Record<string, string> = {},
    ): Promise<Headers> {
      const answer = await api.ask(generation, { model, prompt }, { headers });
      expect(answer, prompt).toMatchObject({ status: 200 });
      const { data } = answer.body as { data: { b64_json: string }[] };
      expect(must(data[0], prompt).b64_json === pictureFor(prompt), prompt).toBe(true);
      return answer.headers;
    }

    const prompts = Array.from({ length: 12 }, (_, n) => `bytes:${60_000 + n * 45_678}`);

    test('each caller has its own, many at a time and one after another', async () => {
      const model = await modelOf('never');
      for (let round = 0; round < 3; round++) {
        const answered = await Promise.all(prompts.map((prompt) => askForOne(model, prompt)));
        expect(answered).toHaveLength(prompts.length);
      }
    });

    test('a repeat has the same, whatever was made meanwhile', async () => {
      const model = await modelOf('never');
      const keyed = (n: number) => ({ 'Idempotency-Key': `large-${n}` });
      for (const [n, prompt] of prompts.entries()) await askForOne(model, prompt, keyed(n));
      await Promise.all(prompts.map((prompt) => askForOne(model, prompt)));
      for (let round = 0; round < 2; round++) {
        const repeats = prompts.map((prompt, n) => askForOne(model, prompt, keyed(n)));
        for (const headers of await Promise.all(repeats)) {
          expect(headers.get('idempotent-replayed')).toBe('true');
        }
      }
    });

    test('a stream has its own partial images and picture', async () => {
      const model = await modelOf('partials');
      const answers = prompts.map(async (prompt) => {
        const fields = { model, prompt, stream: true, partial_images: 1 };
        const answer = await api.ask(generation, fields);
        expect(answer, prompt).toMatchObject({ status: 200 });
        const { events } = readEventStream(answer.text);
        expect(events.map(({ name }) => name)).toEqual([
          'image_generation.partial_image',
          'image_generation.completed',
        ]);
        for (const { data } of events) {
          const { b64_json } = data as { b64_json: string };
          expect(b64_json === pictureFor(prompt), prompt).toBe(true);
        }
      });
      await Promise.all(answers);
    });
  });
});
