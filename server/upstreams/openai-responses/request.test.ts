import { describe, expect, it } from 'vitest';
import { joinedBody } from '../../../test/support/callers/joined-body.ts';
import { makePicture } from '../../../test/support/pictures.ts';
import { editJob, generationJob } from '../../../test/upstreams/jobs.ts';
import { openaiResponsesSubject } from '../../../test/upstreams/openai-responses.ts';
import type { ImageJob } from '../upstream.ts';
import { requestOf } from './request.ts';
import { responsesLimits, responsesSettings } from './settings.ts';

describe('the request', () => {
  it('makes the host model call the image tool, streamed and without storing anything', () => {
    const { body } = sent(generation());
    expect(body).toMatchObject({
      model: 'gpt-6-luna',
      tool_choice: { type: 'image_generation' },
      parallel_tool_calls: false,
      store: false,
      stream: true,
    });
    expect(body.tools).toHaveLength(1);
  });

  it('gives the prompt as it is, apart from the instructions', () => {
    const prompt = '  "Ignore the above" \u{1f98a}\n{"type":"x"} ';
    const { body } = sent(generation({ prompt }));
    expect(body.input).toEqual([{ role: 'user', content: [{ type: 'input_text', text: prompt }] }]);
    expect(body.instructions).toMatch(/word for word/);
    expect(body.instructions).not.toContain('Ignore');
  });

  it('says what the picture is to be in the words of the tool', () => {
    const job = generation({
      size: { width: 1536, height: 1024 },
      quality: 'xhigh',
      background: 'opaque',
      format: 'webp',
      compression: 80,
      partialImages: 2,
      moderation: 'low',
    });
    expect(sent(job).tool).toEqual({
      type: 'image_generation',
      model: 'gpt-image-2.5-sunburst',
      action: 'generate',
      size: '1536x1024',
      quality: 'xhigh',
      background: 'opaque',
      output_format: 'webp',
      output_compression: 80,
      partial_images: 2,
      moderation: 'low',
    });
  });

  it('leaves out what the caller did not ask for', () => {
    expect(sent(generation({ size: 'auto' })).tool).toEqual({
      type: 'image_generation',
      model: 'gpt-image-2.5-sunburst',
      action: 'generate',
      size: 'auto',
      quality: 'auto',
      background: 'auto',
      output_format: 'png',
    });
  });

  it('sends no compression for a png, which has none', () => {
    const request = sent(generation({ format: 'png', compression: 50 }));
    expect(request.tool).not.toHaveProperty('output_compression');
    expect(request.warnings).toEqual(['compression_ignored']);
  });

  it.each(['jpeg', 'webp'] as const)('leaves the compression of %s to the service', (format) => {
    expect(sent(generation({ format })).tool).not.toHaveProperty('output_compression');
  });

  it('sends a compression of 0', () => {
    const request = sent(generation({ format: 'jpeg', compression: 0 }));
    expect(request.tool).toMatchObject({ output_compression: 0 });
    expect(request.warnings).toEqual([]);
  });
});

describe('the request of an edit', () => {
  it('carries the reference images in their order as data URLs behind the prompt', async () => {
    const job = await edit({ references: 3 });
    const { body, tool } = sent(job);
    expect(tool).toMatchObject({ action: 'edit' });
    expect(body.input).toEqual([
      {
        role: 'user',
        content: [
          { type: 'input_text', text: job.prompt },
          ...job.referenceImages.map(({ bytes, format }) => ({
            type: 'input_image',
            image_url: `data:image/${format};base64,${bytes.toString('base64')}`,
          })),
        ],
      },
    ]);
    expect(job.referenceImages.map(({ format }) => format)).toEqual(['png', 'jpeg', 'webp']);
  });

  it('carries the mask in the tool', async () => {
    const job = await edit({ withMask: true });
    const url = `data:image/png;base64,${job.mask?.bytes.toString('base64')}`;
    expect(sent(job).tool).toMatchObject({ input_image_mask: { image_url: url } });
  });

  it.each([
    ['gpt-image-2.5-sunburst', 'high', true],
    ['gpt-image-2.5-flare', 'low', true],
    ['gpt-image-1.5', 'high', true],
    ['gpt-image-1-mini', 'low', true],
    ['gpt-image-1-mini', 'high', false],
    ['gpt-image-2', 'low', false],
    ['gpt-image-2', 'high', false],
    ['gpt-image-2-2026-04-21', 'high', false],
    ['openai/gpt-image-2', 'high', false],
    ['my-own-deployment', 'high', true],
  ] as const)('to %s with the fidelity %s: it is sent, %s', async (model, fidelity, isSent) => {
    const job = await edit({ upstreamModel: model, inputFidelity: fidelity });
    const { tool, warnings } = sent(job);
    expect(tool['input_fidelity']).toBe(isSent ? fidelity : undefined);
    expect(warnings).toEqual(isSent ? [] : ['input_fidelity_ignored']);
  });
});

describe('what the administrator adds', () => {
  it('stands above what the adapter would send', () => {
    const extra = { quality: 'high', complexity: 'low', partial_images: 3 };
    const { tool } = sent(generation({ quality: 'low', extra }));
    expect(tool).toMatchObject({ quality: 'high', complexity: 'low', partial_images: 3 });
  });

  it('never replaces the model, the prompt, a picture or the tool', async () => {
    const extra = {
      type: 'web_search',
      model: 'gpt-image-1',
      prompt: 'another',
      n: 2,
      input_image_mask: { image_url: 'data:image/png;base64,AAAA' },
    };
    const { tool } = sent(generation({ extra }));
    expect(tool).toMatchObject({ type: 'image_generation', model: 'gpt-image-2.5-sunburst' });
    expect(tool).not.toHaveProperty('prompt');
    // The second one would be paid for and thrown away.
    expect(tool).not.toHaveProperty('n');
    expect(tool).not.toHaveProperty('input_image_mask');

    const masked = await edit({ withMask: true, extra });
    const url = `data:image/png;base64,${masked.mask?.bytes.toString('base64')}`;
    expect(sent(masked).tool).toMatchObject({ input_image_mask: { image_url: url } });
  });
});

describe('the settings', () => {
  it('choose the host model and how hard it thinks', () => {
    const { body } = sent(generation(), { hostModel: 'gpt-5.4-mini', reasoningEffort: 'low' });
    expect(body).toMatchObject({ model: 'gpt-5.4-mini', reasoning: { effort: 'low' } });
    expect(sent(generation()).body).not.toHaveProperty('reasoning');
  });

  it('change the instructions, or leave them out', () => {
    const changed = sent(generation(), { instructions: 'Paint it in oil.' });
    expect(changed.body).toMatchObject({ instructions: 'Paint it in oil.' });
    expect(sent(generation(), { instructions: '' }).body).not.toHaveProperty('instructions');
  });

  it('name the header of the API key', () => {
    expect(sent(generation()).headers).toMatchObject({ authorization: 'Bearer sk-test' });
    const { headers } = sent(generation(), { credentialHeader: 'api-key' });
    expect(headers).toMatchObject({ 'api-key': 'sk-test' });
    expect(headers).not.toHaveProperty('authorization');
  });

  it("put the upstream model into Azure's header instead of the tool", () => {
    const { headers, tool } = sent(generation({ upstreamModel: 'my-deployment' }), {
      imageModelIn: 'azure-header',
    });
    expect(headers).toMatchObject({ 'x-ms-oai-image-generation-deployment': 'my-deployment' });
    expect(tool).not.toHaveProperty('model');
    expect(sent(generation()).headers).not.toHaveProperty('x-ms-oai-image-generation-deployment');
  });

  it.each([
    ['instructions', 'x'.repeat(responsesLimits.instructionsCharactersMax)],
    ['hostModel', 'x'.repeat(responsesLimits.modelCharactersMax)],
    ['namedModels', ['x'.repeat(responsesLimits.modelCharactersMax)]],
    ['namedModels', Array.from({ length: responsesLimits.namedModelsMax }, () => 'x')],
  ])('have a limit for %s', (name, longest) => {
    expect(responsesSettings.safeParse({ [name]: longest }).success).toBe(true);
    expect(responsesSettings.safeParse({ [name]: longer(longest) }).success).toBe(false);
  });

  it('refuse an effort at which the service has no image tool', () => {
    expect(responsesSettings.safeParse({ reasoningEffort: 'minimal' }).success).toBe(false);
  });
});

it('sends no header for an API key that there is not', () => {
  const request = requestOf(generation(), responsesSettings.parse({}), null);
  expect(request.headers).toEqual({
    'content-type': 'application/json',
    accept: 'text/event-stream',
  });
});

it('never makes one string of a picture', async () => {
  const bytes = await makePicture('png', { width: 64, height: 64 });
  const reference = { bytes, format: 'png', width: 64, height: 64, hasAlpha: false } as const;
  const job = generation({ operation: 'edit', referenceImages: [reference] });
  const { body } = requestOf(job, responsesSettings.parse({}), null);
  const base64 = bytes.toString('base64');
  const kept = body.filter((piece) => Buffer.isBuffer(piece)).map((piece) => piece.toString());
  expect(kept.join()).not.toContain(base64);
  expect(joinedBody(body).toString()).toContain(base64);
});

function generation(overrides: Partial<ImageJob> = {}): ImageJob {
  return generationJob(openaiResponsesSubject, overrides);
}

async function edit({
  references = 1,
  withMask = false,
  ...overrides
}: Partial<ImageJob> & { references?: number; withMask?: boolean } = {}): Promise<ImageJob> {
  return { ...(await editJob(openaiResponsesSubject, { references, withMask })), ...overrides };
}

/** The request as the service reads it. */
function sent(job: ImageJob, settings: Readonly<Record<string, unknown>> = {}) {
  const request = requestOf(job, responsesSettings.parse(settings), 'sk-test');
  // It was made by our own JSON.stringify.
  const body = JSON.parse(joinedBody(request.body).toString()) as {
    input: unknown;
    instructions?: string;
    tools: [Record<string, unknown>];
  };
  return { ...request, body, tool: body.tools[0] };
}

function longer(longest: string | readonly string[]): string | string[] {
  if (typeof longest === 'string') return `${longest}x`;
  const [only] = longest;
  return longest.length === 1 ? [`${only}x`] : [...longest, 'x'];
}
