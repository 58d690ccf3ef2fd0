import type { IncomingMessage } from 'node:http';
import { imageLimits } from '../../../shared/limits.ts';
import { type CutJson, CutString, parseCutJson } from '../../lib/bytes/json-cut.ts';
import { invalidRequest, type ServiceError } from '../../lib/service-error.ts';
import { type BodyOptions, type ContentType, readBody } from './request-body.ts';

export interface JsonLimits extends BodyOptions {
  /** What may be left of it without the pictures. */
  restBytesMax: number;
}

/** Reads a JSON object whose long strings, which are pictures, stay bytes: see `CutString`. */
export async function readJsonObject(
  message: IncomingMessage,
  contentType: ContentType,
  { restBytesMax, ...body }: JsonLimits,
): Promise<Record<string, unknown>> {
  refuseOtherCharset(contentType);
  const bytes = await readBody(message, body);
  const { jsonDepthMax } = imageLimits;
  const parsed = parseCutJson(bytes, { depthMax: jsonDepthMax, restBytesMax });
  if (parsed.kind === 'broken') throw describeBroken(parsed.reason, restBytesMax);
  if (!isObject(parsed.value)) throw invalidRequest(null, 'The body must be a JSON object.');
  return withTexts(parsed.value);
}

function refuseOtherCharset({ parameters }: ContentType): void {
  const [, charset = 'utf-8'] = /;\s*charset\s*=\s*"?([^\s;"]*)/i.exec(parameters) ?? [];
  if (/^utf-?8$/i.test(charset)) return;
  throw invalidRequest(null, 'A JSON body must be in UTF-8.');
}

type BrokenReason = Extract<CutJson, { kind: 'broken' }>['reason'];

function describeBroken(reason: BrokenReason, restBytesMax: number): ServiceError {
  switch (reason) {
    case 'not_utf8':
      return invalidRequest(null, 'The body is not valid UTF-8.');
    case 'not_json':
      return invalidRequest(null, 'The body is not valid JSON.');
    case 'too_deep':
      return invalidRequest(
        null,
        `The body has more than ${imageLimits.jsonDepthMax} levels of arrays and objects.`,
      );
    case 'too_long':
      return invalidRequest(
        null,
        `The body is too large: at most ${restBytesMax} bytes are accepted besides its pictures, which must be in base64 without line breaks.`,
      );
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  const isCut = value instanceof CutString;
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isCut;
}

/**
 * No picture stands directly in the body, so a string that was cut out there is a text field, most
 * likely one that is too long; a beginning of it that is too long as well tells as much.
 */
function withTexts(body: Record<string, unknown>): Record<string, unknown> {
  const end = imageLimits.promptCharactersMax + 1;
  const texts = Object.entries(body).map(([name, value]): [string, unknown] => [
    name,
    value instanceof CutString ? value.bytes.toString('latin1', 0, end) : value,
  ]);
  return Object.fromEntries(texts);
}
