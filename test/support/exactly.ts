import { isDeepStrictEqual } from 'node:util';
import type { z } from 'zod';

/** Parses what the service sent; a field that the schema does not name is an error too. */
export function exactly<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
): z.output<Schema> {
  const parsed = schema.parse(value);
  if (!isDeepStrictEqual(parsed, value)) {
    throw new Error(`undocumented fields: ${outline(value)} is not ${outline(parsed)}`);
  }
  return parsed;
}

/** The names without the pictures. */
function outline(value: unknown): string {
  const short = (_name: string, item: unknown) => (typeof item === 'string' ? '…' : item);
  return JSON.stringify(value, short);
}
