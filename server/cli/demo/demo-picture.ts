/** The demo's own client: makes one streamed picture through the public API, as any client would. */

export interface DemoPicture {
  bytes: Buffer;
  traceId: string;
  cost: string;
  balance: string;
  currency: string;
}

export interface DemoPictureInput {
  baseUrl: string;
  apiKey: string;
  onPartial: (number: number) => void;
}

const prompt = 'A lighthouse keeper’s fox watching the sunset over a calm sea';

export async function makeDemoPicture(input: DemoPictureInput): Promise<DemoPicture> {
  const response = await fetch(`${input.baseUrl}/v1/images/generations`, {
    method: 'POST',
    headers: { authorization: `Bearer ${input.apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      model: 'gen-image-2.5-sunburst',
      prompt,
      quality: 'high',
      stream: true,
      partial_images: 2,
    }),
  });
  const traceId = response.headers.get('x-request-id') ?? '';
  if (!response.ok || !response.body) {
    throw new Error(`the demo picture failed with status ${response.status} (${traceId})`);
  }
  for await (const event of readEvents(response.body)) {
    if (event.type === 'image_generation.partial_image') {
      input.onPartial(event.partial_image_index + 1);
    } else if (event.type === 'image_generation.completed') {
      return { bytes: Buffer.from(event.b64_json, 'base64'), traceId, ...event.tintype };
    } else {
      throw new Error(`the demo picture failed: ${event.error.message}`);
    }
  }
  throw new Error(`the demo picture's stream ended early (${traceId})`);
}

type DemoEvent =
  | { type: 'image_generation.partial_image'; partial_image_index: number }
  | {
      type: 'image_generation.completed';
      b64_json: string;
      tintype: { cost: string; balance: string; currency: string };
    }
  | { type: 'error'; error: { message: string } };

/** Enough of server-sent events to read our own. */
async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<DemoEvent> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of body) {
    text += decoder.decode(chunk, { stream: true });
    const blocks = text.split('\n\n');
    text = blocks.pop() ?? '';
    for (const block of blocks) {
      const data = block.split('\n').find((line) => line.startsWith('data: '));
      // Our own server wrote it, by the schema of `shared/api/images.ts`.
      if (data) yield JSON.parse(data.slice('data: '.length)) as DemoEvent;
    }
  }
}
