/** The pieces of which the OpenAPI document is put together. */
import { z } from 'zod';
import type { ErrorCode } from '../../shared/error-codes.ts';
import { statusOf } from './errors.ts';

export type JsonObject = Record<string, unknown>;

export function errorRefs(codes: readonly ErrorCode[]): JsonObject {
  const statuses = [...new Set(codes.map(statusOf))];
  return Object.fromEntries(
    statuses.map((status) => [status, { $ref: `#/components/responses/${errorName(status)}` }]),
  );
}

/** Whatever takes a body may find that it comes too slowly. */
export const slowBodyRef: JsonObject = {
  408: { $ref: `#/components/responses/${errorName(408)}` },
};

export function errorName(status: number): string {
  return `Error${status}`;
}

export function requestSchema(schema: z.ZodType): JsonObject {
  return plainSchema(z.toJSONSchema(schema, { io: 'input', target: 'draft-2020-12' }));
}

/** Answers may get more fields, so none of their objects is closed. */
export function answerSchema(schema: z.ZodType): JsonObject {
  return plainSchema(
    z.toJSONSchema(schema, {
      io: 'output',
      target: 'draft-2020-12',
      override: ({ jsonSchema }) => {
        delete jsonSchema.additionalProperties;
        // What numbers can hold is no promise.
        if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      },
    }),
  );
}

/** OpenAPI 3.1 names the dialect once for all. */
function plainSchema({ $schema: _dialect, ...schema }: JsonObject): JsonObject {
  return schema;
}

export function headerRefs(names: readonly string[]): JsonObject {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

export function ref(name: string): JsonObject {
  return { $ref: `#/components/schemas/${name}` };
}
