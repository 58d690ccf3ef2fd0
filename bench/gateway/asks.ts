/** The requests of each case, in the words of each gateway. */
import { must } from '../../server/lib/assert.ts';
import type { CannedPictures } from './canned-answers.ts';
import type { GatewayName, LoadCase } from './cases.ts';
import type { Ask } from './connection.ts';
import { heldCase } from './held-requests.ts';
import { noisePicture } from './noise-picture.ts';

export interface AskedGateway {
  /** `direct` is the upstream itself. */
  name: GatewayName | 'direct';
  /** API keys that callers take in turn; others than Tintype look at none. */
  keys: readonly string[];
}

/** A request to the upstream that takes its time, unless the prompt says otherwise. */
export function heldAnswer(key: string, prompt: string): Ask {
  const { type, parts } = json({ model: heldCase.name, prompt });
  const head = headOf({ path: '/v1/images/generations', key, body: { type, parts }, more: [] });
  return { bytes: [Buffer.concat([head, ...parts])], expected: null };
}

interface Body {
  type: string;
  parts: readonly Buffer[];
}

const boundary = 'tintype-bench-5d41402abc4b2a76b9719d911017c592';
const prompt = 'A red fox in fresh snow, early light';

/** Reference images are large; each size is made once. */
const files = new Map<number, Buffer>();

export class Asks {
  readonly #pictures: CannedPictures;
  readonly #upstreamPort: number;

  constructor(pictures: CannedPictures, upstreamPort: number) {
    this.#pictures = pictures;
    this.#upstreamPort = upstreamPort;
  }

  /** One for each caller. */
  of(load: LoadCase, gateway: AskedGateway): readonly Ask[] {
    return Array.from({ length: load.callers }, (_none, caller) =>
      this.#ask(load, gateway, gateway.keys[caller % gateway.keys.length] ?? 'sk-none'),
    );
  }

  #ask(load: LoadCase, { name }: AskedGateway, key: string): Ask {
    const body = bodyOf(load, name);
    const more = name === 'portkey' ? this.#portkeyHeaders(load) : [];
    const head = headOf({ path: pathOf(load, name), key, body, more });
    return {
      bytes: [head, ...body.parts],
      expected: this.#expected(load, name),
    };
  }

  #portkeyHeaders({ name }: LoadCase): readonly string[] {
    return [
      'x-portkey-provider: openai',
      `x-portkey-custom-host: http://127.0.0.1:${this.#upstreamPort}/${name}/v1`,
    ];
  }

  /** Who passes the stream on as it is sends its last picture twice. */
  #expected({ name, speaks }: LoadCase, gateway: AskedGateway['name']): readonly Buffer[] {
    const pictures = must(this.#pictures.get(name), `the pictures of ${name}`);
    const isPassedOn = speaks === 'responses' && isTransparent(gateway);
    return isPassedOn ? [...pictures, must(pictures.at(-1), 'the picture')] : pictures;
  }
}

/** Whether the caller speaks to the upstream in its own words. */
function isTransparent(gateway: AskedGateway['name']): boolean {
  return gateway === 'nginx' || gateway === 'direct' || gateway === 'portkey';
}

function pathOf({ name, speaks }: LoadCase, gateway: AskedGateway['name']): string {
  const folder = gateway === 'nginx' || gateway === 'direct' ? `/${name}` : '';
  if (speaks === 'edits') return `${folder}/v1/images/edits`;
  const isStream = speaks === 'responses' && isTransparent(gateway);
  return `${folder}/v1/${isStream ? 'responses' : 'images/generations'}`;
}

function bodyOf(load: LoadCase, gateway: AskedGateway['name']): Body {
  const { name, speaks } = load;
  const model = gateway === 'portkey' ? 'gpt-image-2' : name;
  if (load.files !== null) return multipart({ model, prompt }, load.files);
  if (speaks === 'responses' && isTransparent(gateway)) {
    const tools = [{ type: 'image_generation', partial_images: 2 }];
    return json({ model, input: prompt, tools, stream: true });
  }
  const streaming = { stream: true, partial_images: 2 };
  return json({ model, prompt, ...(speaks === 'responses' && streaming) });
}

function headOf(request: {
  path: string;
  key: string;
  body: Body;
  more: readonly string[];
}): Buffer {
  const { path, key, body, more } = request;
  const lines = [
    `POST ${path} HTTP/1.1`,
    'host: 127.0.0.1',
    `authorization: Bearer ${key}`,
    `content-type: ${body.type}`,
    `content-length: ${body.parts.reduce((sum, { length }) => sum + length, 0)}`,
    ...more,
  ];
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n`);
}

function json(fields: object): Body {
  return { type: 'application/json', parts: [Buffer.from(JSON.stringify(fields))] };
}

function multipart(fields: Record<string, string>, wanted: { count: number; bytes: number }): Body {
  const texts = Object.entries(fields).map(([name, value]) =>
    Buffer.from(
      `--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
    ),
  );
  const images = Array.from({ length: wanted.count }, (_none, index) => [
    Buffer.from(
      `--${boundary}\r\ncontent-disposition: form-data; name="image[]"; filename="${index}.png"\r\n` +
        'content-type: image/png\r\n\r\n',
    ),
    fileOf(wanted.bytes),
    Buffer.from('\r\n'),
  ]);
  return {
    type: `multipart/form-data; boundary=${boundary}`,
    parts: [...texts, ...images.flat(), Buffer.from(`--${boundary}--\r\n`)],
  };
}

function fileOf(bytes: number): Buffer {
  const file = files.get(bytes) ?? noisePicture(bytes).png;
  files.set(bytes, file);
  return file;
}
