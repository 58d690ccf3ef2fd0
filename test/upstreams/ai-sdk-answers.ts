import type { FakeAnswer } from './contract-subject.ts';

/** A JSON answer, as the services behind the AI SDK give them. */
export function json(
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): FakeAnswer {
  return {
    status,
    headers: { 'content-type': 'application/json', ...headers },
    body: [Buffer.from(JSON.stringify(body))],
  };
}

/** The picture itself. */
export function file(picture: Buffer, format = 'png'): FakeAnswer {
  return { status: 200, headers: { 'content-type': `image/${format}` }, body: [picture] };
}
