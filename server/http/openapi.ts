/** The OpenAPI 3.1 document of the whole service, made from the schemas that check the requests. */
import { z } from 'zod';
import { editEventSchema, editRequestSchema, editFieldsSchema, generationEventSchema, generationRequestSchema, imagesResponseSchema } from '../../shared/api/images.ts';
import { errorResponseSchema, modelListSchema, modelSchema } from '../../shared/api/models.ts';
import type { ErrorCode } from '../../shared/error-codes.ts';
import { statusOf } from './errors.ts';

type JsonObject = Record<string, unknown>;

export function openApiDocument(): object {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Tintype',
      version: '1',
      description:
        'Makes and edits pictures through the OpenAI Images API and charges each one exactly once.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    security: [{ apiKey: [] }],
    components: {
      securitySchemes: {
        apiKey: { type: 'http', scheme: 'bearer', description: 'An API key: `sk-…`.' },
      },
      schemas: {
        GenerationRequest: requestSchema(generationRequestSchema),
        EditRequest: requestSchema(editRequestSchema),
        EditForm: editFormSchema(),
        ImagesResponse: answerSchema(imagesResponseSchema),
        GenerationEvent: answerSchema(generationEventSchema),
        EditEvent: answerSchema(editEventSchema),
        Model: answerSchema(modelSchema),
        ModelList: answerSchema(modelListSchema),
        Error: answerSchema(errorResponseSchema),
      },
      headers: answerHeaders,
    },
    paths: {
      '/v1/images/generations': { post: generationOperation() },
      '/v1/images/edits': { post: editOperation() },
      '/v1/models': { get: modelsOperation() },
      '/v1/models/{id}': { get: modelOperation() },
      '/openapi.json': { get: publicOperation('openapi', 'This document.') },
      '/healthz': { get: publicOperation('health', 'Whether the process is alive.') },
      '/readyz': { get: publicOperation('ready', 'Whether the service can take requests.') },
    },
  };
}

const imageErrors: readonly ErrorCode[] = [
  'invalid_request_error',
  'unauthorized',
  'rate_limit',
  'insufficient_quota',
  'upstream_error',
  'model_unavailable',
  'unavailable',
];

const answerHeaders: JsonObject = {
  'x-request-id': header('The trace ID of the request: quote it to support.'),
  'x-tintype-cost': header('What this request cost, as a decimal.'),
  'x-tintype-balance': header('The wallet’s balance after it, as a decimal.'),
  'x-tintype-currency': header('The currency of both.'),
  'idempotent-replayed': header('`true` when this answer belongs to an earlier request.'),
  'retry-after': header('When a new try makes sense, in whole seconds.'),
  'x-should-retry': header('`false` when a repeat cannot succeed or would cost again.'),
};

function generationOperation(): JsonObject {
  return {
    operationId: 'createImage',
    summary: 'Make pictures from a text prompt',
    parameters: [idempotencyKey],
    requestBody: {
      required: true,
      content: { 'application/json': { schema: ref('GenerationRequest') } },
    },
    responses: { ...imageAnswer('GenerationEvent'), ...errorAnswers(imageErrors) },
  };
}

function editOperation(): JsonObject {
  return {
    operationId: 'createImageEdit',
    summary: 'Edit or recombine reference images',
    parameters: [idempotencyKey],
    requestBody: {
      required: true,
      content: {
        'multipart/form-data': { schema: ref('EditForm') },
        'application/json': { schema: ref('EditRequest') },
      },
    },
    responses: { ...imageAnswer('EditEvent'), ...errorAnswers(imageErrors) },
  };
}

function modelsOperation(): JsonObject {
  return {
    operationId: 'listModels',
    summary: 'List the models that this key may use now',
    responses: { ...jsonAnswer('ModelList'), ...errorAnswers(['unauthorized']) },
  };
}

function modelOperation(): JsonObject {
  return {
    operationId: 'retrieveModel',
    summary: 'Describe one model',
    parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
    responses: { ...jsonAnswer('Model'), ...errorAnswers(['unauthorized', 'not_found']) },
  };
}

function publicOperation(operationId: string, summary: string): JsonObject {
  return {
    operationId,
    summary,
    security: [],
    responses: { 200: { description: 'OK', content: { 'application/json': { schema: {} } } } },
  };
}

const idempotencyKey: JsonObject = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'The same key with the same request gives the same answer again for ten minutes, charged once.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
};

function imageAnswer(events: string): JsonObject {
  const names = ['x-request-id', 'x-tintype-cost', 'x-tintype-balance', 'x-tintype-currency'];
  return {
    200: {
      description: 'The pictures; with `stream` the events, of which `*.completed` is the last.',
      headers: headerRefs([...names, 'idempotent-replayed']),
      content: {
        'application/json': { schema: ref('ImagesResponse') },
        'text/event-stream': { schema: ref(events) },
      },
    },
  };
}

function jsonAnswer(schema: string): JsonObject {
  return {
    200: {
      description: 'OK',
      headers: headerRefs(['x-request-id']),
      content: { 'application/json': { schema: ref(schema) } },
    },
  };
}

/** One answer for each status, naming the codes that come with it. */
function errorAnswers(codes: readonly ErrorCode[]): JsonObject {
  const byStatus = Map.groupBy(codes, statusOf);
  const answers = [...byStatus].map(([status, ofStatus]) => [
    status,
    {
      description: ofStatus.map((code) => `\`${code}\``).join(' or '),
      headers: headerRefs(['x-request-id', 'retry-after', 'x-should-retry']),
      content: { 'application/json': { schema: ref('Error') } },
    },
  ]);
  return Object.fromEntries(answers);
}

/** A multipart edit has the same fields as text, and pictures as files. */
function editFormSchema(): JsonObject {
  const schema = requestSchema(editFieldsSchema);
  const file = { type: 'string', contentMediaType: 'application/octet-stream' };
  return {
    ...schema,
    properties: {
      ...(schema['properties'] as JsonObject),
      'image[]': {
        type: 'array',
        items: file,
        description: 'Reference images; `image` and `image[0]` are read alike.',
      },
      mask: { ...file, description: 'A PNG of the first image’s size; its transparent part changes.' },
    },
  };
}

function requestSchema(schema: z.ZodType): JsonObject {
  return z.toJSONSchema(schema, { io: 'input', target: 'draft-2020-12' });
}

function answerSchema(schema: z.ZodType): JsonObject {
  return z.toJSONSchema(schema, { io: 'output', target: 'draft-2020-12' });
}

function header(description: string): JsonObject {
  return { description, schema: { type: 'string' } };
}

function headerRefs(names: readonly string[]): JsonObject {
  return Object.fromEntries(
    names.map((name) => [name, { $ref: `#/components/headers/${name}` }]),
  );
}

function ref(name: string): JsonObject {
  return { $ref: `#/components/schemas/${name}` };
}
