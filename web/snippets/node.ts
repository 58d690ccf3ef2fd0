import type { OrderFile } from '../jobs/image-order.ts';
import { bare, type CodeLine } from './code-parts.ts';
import { js, text, value } from './script.ts';
import type { Snippet } from './snippet.ts';

/** With the `openai` package. */
export function nodeLines(snippet: Snippet): readonly CodeLine[] {
  const { baseUrl, isEdit, isStream, fields, images, mask, output } = snippet;
  return [
    isEdit
      ? js`import { createReadStream, writeFileSync } from 'node:fs';`
      : js`import { writeFileSync } from 'node:fs';`,
    isEdit ? js`import OpenAI, { toFile } from 'openai';` : js`import OpenAI from 'openai';`,
    [],
    js`const client = new OpenAI({`,
    js`  baseURL: ${text(baseUrl)},`,
    js`  apiKey: process.env.IMAGE_API_KEY,`,
    js`});`,
    js`const ${bare(isStream ? 'events' : 'answer')} = await client.images.${bare(isEdit ? 'edit' : 'generate')}({`,
    ...(isEdit
      ? [js`  image: [`, ...images.map((file) => js`    ${opened(file)},`), js`  ],`]
      : []),
    ...(mask ? [js`  mask: ${opened(mask)},`] : []),
    ...Object.entries(fields).map(([name, each]) => js`  ${bare(name)}: ${value(each)},`),
    js`});`,
    ...(isStream ? streamLines(output) : answerLines(output)),
  ];
}

function answerLines(output: string): readonly CodeLine[] {
  return [js`writeFileSync(${text(output)}, Buffer.from(answer.data[0].b64_json, 'base64'));`];
}

function streamLines(output: string): readonly CodeLine[] {
  return [
    js`for await (const event of events) {`,
    js`  if (event.type.endsWith('.partial_image')) console.log('preview', event.partial_image_index);`,
    js`  if (event.type.endsWith('.completed')) {`,
    js`    writeFileSync(${text(output)}, Buffer.from(event.b64_json, 'base64'));`,
    js`  }`,
    js`}`,
  ];
}

function opened({ name, image }: OrderFile): CodeLine {
  return js`await toFile(createReadStream(${text(name)}), ${text(name)}, { type: ${text(image.type)} })`;
}
