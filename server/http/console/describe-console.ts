/** The console's API in the OpenAPI document, made from the schemas that check its requests. */
import type { z } from 'zod';
import type { ErrorCode } from '../../../shared/error-codes.ts';
import {
  answerSchema,
  errorRefs,
  headerRefs,
  type JsonObject,
  ref,
  requestSchema,
  slowBodyRef,
} from '../openapi-parts.ts';
import { consolePrefix } from './console-path.ts';
import type { ConsoleRoute } from './console-route.ts';

/** The paths of these routes, each with its operations. */
export function consoleOperations(
  routes: readonly ConsoleRoute[],
): Readonly<Record<string, JsonObject>> {
  const paths: Record<string, JsonObject> = {};
  for (const route of routes) {
    const path = `${consolePrefix}${openPath(route.path)}`;
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operationOf(route) };
  }
  return paths;
}

/** `/keys/:id` as `/keys/{id}`. */
function openPath(path: string): string {
  return path.replace(/:(\w+)/g, '{$1}');
}

function operationOf(route: ConsoleRoute): JsonObject {
  const isPublic = route.right === 'anyone';
  const requestBody = bodyOf(route);
  return {
    operationId: operationId(route),
    tags: ['console'],
    summary: route.summary,
    security: isPublic ? [] : [{ session: [] }, { accessToken: [] }],
    parameters: [
      ...parametersOf(route.params, 'path'),
      ...parametersOf(route.query, 'query'),
      ...(takesImageRequest(route) ? [idempotencyKey, repeatOnly] : []),
    ],
    ...requestBody,
    responses: {
      200: answerOf(route),
      ...errorRefs(errorsOf(route)),
      ...('requestBody' in requestBody && slowBodyRef),
    },
  };
}

/** `GET /keys/:id` is `console_get_keys_id`. */
function operationId({ method, path }: ConsoleRoute): string {
  const words = path.split(/[^A-Za-z0-9]+/).filter((word) => word !== '');
  return ['console', method.toLowerCase(), ...words].join('_');
}

function parametersOf(schema: z.ZodType | undefined, place: 'path' | 'query'): JsonObject[] {
  if (!schema) return [];
  const { properties, required } = requestSchema(schema);
  // An object schema made by zod has the first always and the second where something is required.
  const fields = Object.entries((properties ?? {}) as Record<string, JsonObject>);
  const needed = (required ?? []) as readonly string[];
  return fields.map(([name, field]) => ({
    name,
    in: place,
    required: place === 'path' || needed.includes(name),
    schema: field,
  }));
}

const idempotencyKey: JsonObject = {
  name: 'Idempotency-Key',
  in: 'header',
  required: true,
  description: 'The same key with the same request gives the same answer again, charged once.',
  schema: { type: 'string' },
};

const repeatOnly: JsonObject = {
  name: 'x-tintype-repeat',
  in: 'header',
  required: false,
  description:
    'With any value, only the answer of the request that the Idempotency-Key stands for is given: where it stands for none, nothing is made nor charged, and the answer is a 400.',
  schema: { type: 'string' },
};

function takesImageRequest({ form }: ConsoleRoute): boolean {
  return form === 'generation' || form === 'edit';
}

function bodyOf({ body, form }: ConsoleRoute): JsonObject {
  const content = contentOf(body, form);
  return content ? { requestBody: { required: true, content } } : {};
}

function contentOf(body: z.ZodType | undefined, form: ConsoleRoute['form']): JsonObject | null {
  if (form === 'generation') return json(ref('GenerationRequest'));
  if (form === 'edit') {
    return { 'multipart/form-data': { schema: ref('EditForm') }, ...json(ref('EditRequest')) };
  }
  return body ? json(requestSchema(body)) : null;
}

function answerOf({ form, answer }: ConsoleRoute): JsonObject {
  const headers = headerRefs(['x-request-id']);
  if (form === 'csv') {
    return {
      description: 'All that match, with a header row; `x-tintype-rows` says how many.',
      headers: { ...headers, 'x-tintype-rows': { schema: { type: 'integer' } } },
      content: { 'text/csv': { schema: { type: 'string' } } },
    };
  }
  if (form === undefined) {
    return { description: 'OK', headers, content: json(answerSchema(answer)) };
  }
  const events = form === 'generation' ? 'GenerationEvent' : 'EditEvent';
  return {
    description: 'As of the same request to `/v1`; the last event says more of what it came to.',
    headers,
    content: {
      ...json(ref('ImagesResponse')),
      'text/event-stream': { schema: ref(events) },
    },
  };
}

function json(schema: JsonObject): JsonObject {
  return { 'application/json': { schema } };
}

function errorsOf(route: ConsoleRoute): readonly ErrorCode[] {
  return [
    'internal_error',
    'unavailable',
    'forbidden',
    ...(route.right === 'anyone' ? [] : (['unauthorized'] as const)),
    ...(route.params || route.query || route.body ? (['invalid_request_error'] as const) : []),
    ...(route.params ? (['not_found'] as const) : []),
    ...(route.form === undefined ? [] : (['invalid_request_error', 'rate_limit'] as const)),
    ...(takesImageRequest(route) ? (['upstream_error', 'model_unavailable'] as const) : []),
  ];
}
