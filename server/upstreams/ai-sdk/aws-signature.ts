/**
 * Signature version 4 of Amazon's services. The SDK has one too, but it signs before our transport
 * puts the pictures in their places, and knows no GET, which the model list is.
 */
import { createHash, createHmac } from 'node:crypto';
import { type BodyPiece, blocksOf } from '../../lib/bytes/body-pieces.ts';
import type { AuthorizedRequest } from './vendor.ts';

export interface AwsAccess {
  accessKeyId: string;
  secretAccessKey: string;
  /** Of temporary credentials. */
  sessionToken: string | null;
}

export interface AwsScope {
  region: string;
  service: string;
  /** Unix milliseconds. */
  nowMs: number;
}

/** Looked at in one go: what is made of other bytes is made for this, and again to be sent. */
const hashedBytesMax = 64 * 1024;
const algorithm = 'AWS4-HMAC-SHA256';

/** The headers that prove who sends the request; `host` is signed with them. */
export function signAws(
  request: AuthorizedRequest & { headers?: Readonly<Record<string, string>> },
  access: AwsAccess,
  { region, service, nowMs }: AwsScope,
): Record<string, string> {
  const time = `${new Date(nowMs).toISOString().slice(0, 19).replace(/[-:]/g, '')}Z`;
  const scope = `${time.slice(0, 8)}/${region}/${service}/aws4_request`;
  const stated: Record<string, string> = {
    ...request.headers,
    'x-amz-date': time,
    ...(access.sessionToken !== null && { 'x-amz-security-token': access.sessionToken }),
  };
  const signed = Object.entries({ ...stated, host: request.url.host }).sort(byName);
  const names = signed.map(([name]) => name).join(';');
  const canonical = [
    request.method,
    canonicalPath(request.url),
    canonicalQuery(request.url),
    ...signed.map(([name, value]) => `${name}:${value}`),
    '',
    names,
    sha256(request.body),
  ].join('\n');
  const statement = [algorithm, time, scope, sha256([Buffer.from(canonical)])].join('\n');
  const key = scope
    .split('/')
    .reduce<Buffer>(
      (secret, part) => hmac(secret, part),
      Buffer.from(`AWS4${access.secretAccessKey}`),
    );
  const signature = hmac(key, statement).toString('hex');
  return {
    ...stated,
    authorization: `${algorithm} Credential=${access.accessKeyId}/${scope}, SignedHeaders=${names}, Signature=${signature}`,
  };
}

/** Each segment as it stands in the address, encoded once more. */
function canonicalPath({ pathname }: URL): string {
  return pathname.split('/').map(encodeStrictly).join('/');
}

function canonicalQuery({ searchParams }: URL): string {
  return [...searchParams]
    .map(([name, value]) => [encodeStrictly(name), encodeStrictly(value)] as const)
    .sort(byName)
    .map(([name, value]) => `${name}=${value}`)
    .join('&');
}

function byName([a]: readonly [string, string], [b]: readonly [string, string]): number {
  return a < b ? -1 : Number(a > b);
}

/** `encodeURIComponent` leaves some characters that Amazon wants encoded. */
function encodeStrictly(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function sha256(body: readonly BodyPiece[]): string {
  const hash = createHash('sha256');
  for (const block of blocksOf(body, hashedBytesMax)) hash.update(block);
  return hash.digest('hex');
}

function hmac(key: Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}
