/** What somebody reads of a mail: its headers and its text, decoded as mail programs do. */

export interface ReadMail {
  /** By name, in lower case. */
  headers: ReadonlyMap<string, string>;
  text: string;
}

export function readMail(source: string): ReadMail {
  const [, head = '', body = ''] = /^(.*?)\r\n\r\n(.*)$/s.exec(source) ?? [];
  const headers = new Map(
    head
      .replaceAll(/\r\n[ \t]+/g, ' ')
      .split('\r\n')
      .map((line) => {
        const [, name = '', value = ''] = /^([^:]+): *(.*)$/.exec(line) ?? [];
        return [name.toLowerCase(), decodedWords(value)] as const;
      }),
  );
  const encoding = headers.get('content-transfer-encoding') ?? '7bit';
  return { headers, text: decoded(body, encoding).replaceAll('\r\n', '\n') };
}

/** RFC 2047: words of a header that are more than ASCII; the blank between two of them is none. */
function decodedWords(value: string): string {
  const words = /=\?utf-8\?([bq])\?([^?]*)\?=/gi;
  return value
    .replaceAll(/\?= +=\?/g, '?==?')
    .replaceAll(words, (_, how: string, text: string) =>
      how.toLowerCase() === 'b'
        ? decoded(text, 'base64')
        : decoded(text.replaceAll('_', '=20'), 'quoted-printable'),
    );
}

function decoded(text: string, encoding: string): string {
  if (encoding === 'base64') return Buffer.from(text, 'base64').toString();
  if (encoding !== 'quoted-printable') return text;
  const bytes = text
    .replaceAll('=\r\n', '')
    .replaceAll(/=([\dA-F]{2})/gi, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    );
  return Buffer.from(bytes, 'latin1').toString();
}
