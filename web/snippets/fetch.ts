import { bare, type CodeLine } from './code-parts.ts';
import { js, text, value } from './script.ts';
import type { Snippet } from './snippet.ts';

/** With nothing but Node itself. */
export function fetchLines(snippet: Snippet): readonly CodeLine[] {
  const { isEdit, isStream, output } = snippet;
  return [
    isEdit
      ? js`import { readFileSync, writeFileSync } from 'node:fs';`
      : js`import { writeFileSync } from 'node:fs';`,
    [],
    ...(isEdit ? formLines(snippet) : []),
    ...callLines(snippet),
    js`if (!response.ok) throw new Error(await response.text());`,
    ...(isStream ? streamLines(output) : answerLines(output)),
  ];
}

function formLines({ fields, images, mask }: Snippet): readonly CodeLine[] {
  return [
    js`const form = new FormData();`,
    ...Object.entries(fields).map(
      ([name, each]) => js`form.append(${text(name)}, ${text(String(each))});`,
    ),
    ...[...images, ...(mask ? [mask] : [])].map(
      ({ field, name, image }) =>
        js`form.append(${text(field)}, new File([readFileSync(${text(name)})], ${text(name)}, { type: ${text(image.type)} }));`,
    ),
  ];
}

function callLines({ url, isEdit, fields }: Snippet): readonly CodeLine[] {
  return [
    js`const response = await fetch(${text(url)}, {`,
    js`  method: 'POST',`,
    js`  headers: {`,
    js`    Authorization: ${bare('`Bearer ${process.env.IMAGE_API_KEY}`')},`,
    ...(isEdit ? [] : [js`    'Content-Type': 'application/json',`]),
    js`  },`,
    ...(isEdit
      ? [js`  body: form,`]
      : [
          js`  body: JSON.stringify({`,
          ...Object.entries(fields).map(([name, each]) => js`    ${bare(name)}: ${value(each)},`),
          js`  }),`,
        ]),
    js`});`,
  ];
}

function answerLines(output: string): readonly CodeLine[] {
  return [
    js`const { data } = await response.json();`,
    js`writeFileSync(${text(output)}, Buffer.from(data[0].b64_json, 'base64'));`,
  ];
}

function streamLines(output: string): readonly CodeLine[] {
  return [
    js`let rest = '';`,
    js`for await (const piece of response.body.pipeThrough(new TextDecoderStream())) {`,
    js`  const lines = (rest + piece).split('\\n');`,
    js`  rest = lines.pop();`,
    js`  for (const line of lines) {`,
    js`    // The rest are names, empty lines, and comments that keep the connection alive.`,
    js`    if (!line.startsWith('data:')) continue;`,
    js`    const event = JSON.parse(line.slice(5));`,
    js`    if (event.error) throw new Error(event.error.message);`,
    js`    if (event.type.endsWith('.partial_image')) console.log('preview', event.partial_image_index);`,
    js`    if (event.type.endsWith('.completed')) {`,
    js`      writeFileSync(${text(output)}, Buffer.from(event.b64_json, 'base64'));`,
    js`    }`,
    js`  }`,
    js`}`,
  ];
}
