/**
 * A program of its own: the proxy that anybody would write first. It reads JSON, asks the upstream
 * with `fetch`, reads JSON and writes JSON. It bills nobody and checks nothing.
 */
import { Readable } from 'node:stream';
import { fastify } from 'fastify';
import { must } from '../../server/lib/assert.ts';

interface Generation {
  model: string;
  stream?: boolean;
}

const bodyBytesMax = 2 ** 30;

const [port, upstream] = process.argv.slice(2);
const app = fastify({ bodyLimit: bodyBytesMax });

app.addContentTypeParser('multipart/form-data', { parseAs: 'buffer' }, (request, body, done) => {
  const headers = { 'content-type': must(request.headers['content-type'], 'its type') };
  new Response(new Uint8Array(Buffer.from(body)), { headers })
    .formData()
    .then((form) => done(null, form), done);
});

app.post<{ Body: Generation }>('/v1/images/generations', async ({ body }, reply) => {
  const { model, stream } = body;
  const answer = await ask(`${model}/v1/${stream ? 'responses' : 'images/generations'}`, {
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!stream) return await answer.json();
  return reply.type('text/event-stream').send(Readable.from(imageEvents(answer)));
});

app.post<{ Body: FormData }>('/v1/images/edits', async ({ body }) => {
  const model = textOf(body, 'model');
  const answer = await ask(
    `${model}/v1/images/edits`,
    model.endsWith('json') ? await jsonEdit(body) : { body },
  );
  return await answer.json();
});

await app.listen({ host: '127.0.0.1', port: Number(port) });

function ask(path: string, init: RequestInit): Promise<Response> {
  return fetch(`${upstream}/${path}`, { method: 'POST', ...init });
}

async function jsonEdit(form: FormData): Promise<RequestInit> {
  const files = form.getAll('image[]').filter((value) => value instanceof File);
  const images = files.map(async (file) => {
    const base64 = Buffer.from(await file.arrayBuffer()).toString('base64');
    return { image_url: `data:${file.type};base64,${base64}` };
  });
  const fields = { model: textOf(form, 'model'), prompt: textOf(form, 'prompt') };
  return {
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...fields, images: await Promise.all(images) }),
  };
}

function textOf(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === 'string' ? value : '';
}

/** The events of the Responses API as those of the Images API. */
async function* imageEvents(answer: Response): AsyncGenerator<string> {
  let text = '';
  const decoder = new TextDecoder();
  // The bodies of `fetch` are streams of bytes.
  const body = must(answer.body, 'a body') as AsyncIterable<Uint8Array>;
  for await (const piece of body) {
    text += decoder.decode(piece, { stream: true });
    const blocks = text.split('\n\n');
    text = blocks.pop() ?? '';
    for (const block of blocks) {
      const event = imageEvent(block);
      if (event) yield `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
    }
  }
}

function imageEvent(block: string): { type: string; b64_json: string } | null {
  // Its only upstream is that of the measurement.
  const data = JSON.parse(block.slice(block.indexOf('\ndata: ') + 7)) as {
    type: string;
    partial_image_b64?: string;
    item?: { result: string };
  };
  if (data.partial_image_b64 !== undefined) {
    return { type: 'image_generation.partial_image', b64_json: data.partial_image_b64 };
  }
  return data.item ? { type: 'image_generation.completed', b64_json: data.item.result } : null;
}
