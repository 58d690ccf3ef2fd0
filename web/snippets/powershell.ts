import { bare, type CodeLine, joinLines, language, literal } from './code-parts.ts';
import type { Snippet } from './snippet.ts';

const ps = language({ words: ['curl\\.exe', 'ConvertFrom-Json'], comment: '# ' });

export function powershellLines(snippet: Snippet): readonly CodeLine[] {
  const { fields, isEdit, isStream, output } = snippet;
  const command = joinLines(isEdit ? formCommand(snippet) : jsonCommand(snippet), ' `');
  return [
    ...(isEdit
      ? []
      : [
          ps`$OutputEncoding = [Text.UTF8Encoding]::new()`,
          ps`$body = ${value(JSON.stringify(fields))}`,
        ]),
    isStream ? command : ps`$answer = ${command}`,
    ...(isStream
      ? []
      : [
          ps`$image = [Convert]::FromBase64String(($answer | ConvertFrom-Json).data[0].b64_json)`,
          ps`[IO.File]::WriteAllBytes((Join-Path $PWD ${value(output)}), $image)`,
        ]),
  ];
}

/** The body comes from a pipe: arguments with quotes are not passed on alike by every version. */
function jsonCommand(snippet: Snippet): readonly CodeLine[] {
  return [
    ps`$body | ${callOf(snippet)}`,
    ...authorization,
    ps`  -H 'Content-Type: application/json'`,
    ps`  --data-binary '@-'`,
  ];
}

function formCommand(snippet: Snippet): readonly CodeLine[] {
  const { fields, images, mask } = snippet;
  return [
    callOf(snippet),
    ...authorization,
    ...Object.entries(fields).map(
      ([name, each]) => ps`  --form-string ${value(`${name}=${each}`)}`,
    ),
    ...[...images, ...(mask ? [mask] : [])].map(
      ({ field, name }) => ps`  -F ${value(`${field}=@${name}`)}`,
    ),
  ];
}

function callOf({ url, isStream }: Snippet): CodeLine {
  return ps`curl.exe ${bare(isStream ? '--no-buffer' : '--silent')} --fail-with-body ${value(url)}`;
}

const authorization = [ps`  -H "Authorization: Bearer $env:IMAGE_API_KEY"`];

/** Within single quotes nothing has a meaning but the quote itself. */
function value(content: string) {
  return literal(`'${content.replaceAll("'", "''")}'`);
}
