import { bare, type CodeLine, joinLines, language, literal } from './code-parts.ts';
import type { Snippet } from './snippet.ts';

const sh = language({ words: ['curl', 'sed', 'base64'], comment: '# ' });

/** For bash and its relatives. Nothing is needed that a system may not have. */
export function curlLines(snippet: Snippet): readonly CodeLine[] {
  const { url, isStream, output } = snippet;
  const command = [
    isStream
      ? sh`curl --no-buffer --fail-with-body ${value(url)}`
      : sh`curl --fail-with-body ${value(url)}`,
    sh`  -H "Authorization: Bearer $IMAGE_API_KEY"`,
    ...(snippet.isEdit ? formArguments(snippet) : jsonArguments(snippet)),
    ...(isStream
      ? []
      : [sh`  | sed -n 's/.*"b64_json":"\\([^"]*\\)".*/\\1/p' | base64 -d > ${bare(output)}`]),
  ];
  return [joinLines(command, ' \\')];
}

function jsonArguments({ fields }: Snippet): readonly CodeLine[] {
  return [
    sh`  -H 'Content-Type: application/json'`,
    sh`  -d ${value(JSON.stringify(fields, null, 2))}`,
  ];
}

/** `--form-string`, because a value that begins with @ or < would be taken for a file. */
function formArguments({ fields, images, mask }: Snippet): readonly CodeLine[] {
  return [
    ...Object.entries(fields).map(
      ([name, each]) => sh`  --form-string ${value(`${name}=${each}`)}`,
    ),
    ...[...images, ...(mask ? [mask] : [])].map(
      ({ field, name }) => sh`  -F ${value(`${field}=@${name}`)}`,
    ),
  ];
}

/** Within single quotes nothing has a meaning but the quote itself. */
function value(content: string) {
  return literal(`'${content.replaceAll("'", "'\\''")}'`);
}
