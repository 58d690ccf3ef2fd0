import type { OrderFile } from '../jobs/image-order.ts';
import { bare, type CodeLine, language, literal } from './code-parts.ts';
import type { FieldValue, Snippet } from './snippet.ts';

const py = language({
  words: ['import', 'from', 'for', 'in', 'if', 'elif', 'with', 'as'],
  comment: '# ',
});

/** With the `openai` package. */
export function pythonLines(snippet: Snippet): readonly CodeLine[] {
  const { baseUrl, isEdit, isStream, fields, images, mask, output } = snippet;
  return [
    py`import base64, os`,
    py`from openai import OpenAI`,
    [],
    py`client = OpenAI(base_url=${text(baseUrl)}, api_key=os.environ["IMAGE_API_KEY"])`,
    py`${bare(isStream ? 'events' : 'answer')} = client.images.${bare(isEdit ? 'edit' : 'generate')}(`,
    ...(isEdit
      ? [py`    image=[`, ...images.map((file) => py`        ${opened(file)},`), py`    ],`]
      : []),
    ...(mask ? [py`    mask=${opened(mask)},`] : []),
    ...Object.entries(fields).map(([name, each]) => py`    ${bare(name)}=${value(each)},`),
    py`)`,
    ...(isStream ? streamLines(output) : answerLines(output)),
  ];
}

function answerLines(output: string): readonly CodeLine[] {
  return [
    py`with open(${text(output)}, "wb") as file:`,
    py`    file.write(base64.b64decode(answer.data[0].b64_json))`,
  ];
}

function streamLines(output: string): readonly CodeLine[] {
  return [
    py`for event in events:`,
    py`    if event.type.endswith(".partial_image"):`,
    py`        print("preview", event.partial_image_index)`,
    py`    elif event.type.endswith(".completed"):`,
    py`        with open(${text(output)}, "wb") as file:`,
    py`            file.write(base64.b64decode(event.b64_json))`,
  ];
}

function opened({ name }: OrderFile): CodeLine {
  return py`open(${text(name)}, "rb")`;
}

function value(content: FieldValue) {
  if (typeof content === 'boolean') return bare(content ? 'True' : 'False');
  return typeof content === 'string' ? text(content) : bare(String(content));
}

/** JSON's escapes are Python's as well. */
function text(content: string) {
  return literal(JSON.stringify(content));
}
