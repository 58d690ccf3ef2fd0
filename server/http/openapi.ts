/** The OpenAPI 3.1 document of the whole service, made from the schemas that check the requests. */
import {
  editEventSchema,
  editFieldsSchema,
  editRequestSchema,
  generationEventSchema,
  generationRequestSchema,
  imagesResponseSchema,
} from '../../shared/api/images.ts';
import { errorResponseSchema, modelListSchema, modelSchema } from '../../shared/api/models.ts';
import { type ErrorCode, errorCodes } from '../../shared/error-codes.ts';
import { imageLimits } from '../../shared/limits.ts';
import { consoleRoutes } from './console/console-routes.ts';
import { consoleOperations } from './console/describe-console.ts';
import { statusOf } from './errors.ts';
import {
  answerSchema,
  errorName,
  errorRefs,
  headerRefs,
  type JsonObject,
  ref,
  requestSchema,
  slowBodyRef,
} from './openapi-parts.ts';
import { webhookOperations } from './webhooks/describe-webhooks.ts';

/** Made once: it says nothing that changes while the service runs. */
let document: Buffer | null = null;

/** The document in JSON. */
export function openApiDocument(): Buffer {
  document ??= Buffer.from(JSON.stringify(makeDocument()));
  return document;
}

function makeDocument(): object {
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
    tags: [{ name: 'console', description: 'What the web console works with; for scripts too.' }],
    components: {
      securitySchemes: {
        apiKey: { type: 'http', scheme: 'bearer', description: 'An API key: `sk-…`.' },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: 'tintype_session',
          description:
            'Whoever signed in with a browser; `__Host-tintype_session` over https. Requests that change something need the header `x-tintype-console: 1` as well. With the header `x-tintype-user`, a user’s ID, it counts for that user only.',
        },
        accessToken: {
          type: 'http',
          scheme: 'bearer',
          description:
            'A personal access token: what its owner may do in the console, for scripts.',
        },
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
      responses: errorAnswers(),
    },
    paths: {
      '/v1/images/generations': { post: generationOperation() },
      '/v1/images/edits': { post: editOperation() },
      '/v1/models': { get: modelsOperation() },
      '/v1/models/{id}': { get: modelOperation() },
      '/openapi.json': { get: publicOperation('openapi', 'This document') },
      '/healthz': { get: publicOperation('health', 'Whether the process is alive') },
      '/readyz': {
        get: publicOperation('ready', 'Whether the service can take requests', ['unavailable']),
      },
      ...webhookOperations(),
      ...consoleOperations(consoleRoutes),
    },
  };
}

const keyErrors = ['unauthorized', 'unavailable', 'internal_error'] as const;
const imageErrors = [
  ...keyErrors,
  'invalid_request_error',
  'rate_limit',
  'insufficient_quota',
  'upstream_error',
  'model_unavailable',
] as const;

const answerHeaders: JsonObject = {
  'x-request-id': header('The trace ID of the request: quote it to support.'),
  'x-tintype-cost': header('What this request cost, as a decimal.'),
  'x-tintype-balance': header('The wallet’s balance after it, as a decimal.'),
  'x-tintype-currency': header('The currency of both.'),
  'idempotent-replayed': header('`true` when this answer belongs to an earlier request.'),
  'retry-after': header('When a new try makes sense, in whole seconds.'),
  'x-should-retry': header('`false` when a repeat cannot succeed or would cost again.'),
  'www-authenticate': header('`Bearer`, when the API key is missing or invalid.'),
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
    responses: { ...imageAnswer('GenerationEvent'), ...errorRefs(imageErrors), ...slowBodyRef },
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
    responses: { ...imageAnswer('EditEvent'), ...errorRefs(imageErrors), ...slowBodyRef },
  };
}

function modelsOperation(): JsonObject {
  return {
    operationId: 'listModels',
    summary: 'List the models that this key may use now',
    responses: { ...jsonAnswer('ModelList'), ...errorRefs(keyErrors) },
  };
}

function modelOperation(): JsonObject {
  return {
    operationId: 'retrieveModel',
    summary: 'Describe one model',
    parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
    responses: { ...jsonAnswer('Model'), ...errorRefs([...keyErrors, 'not_found']) },
  };
}

function publicOperation(
  operationId: string,
  summary: string,
  errors: readonly ErrorCode[] = [],
): JsonObject {
  const content = { 'application/json': { schema: { type: 'object' } } };
  return {
    operationId,
    summary,
    security: [],
    responses: {
      200: { description: 'OK', headers: headerRefs(['x-request-id']), content },
      ...errorRefs(errors),
    },
  };
}

const idempotencyKey: JsonObject = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'The same key with the same request gives the same answer again, charged once. Answers wait for ten minutes, ' +
    'unless the operator has set another time.',
  schema: {
    type: 'string',
    minLength: 1,
    maxLength: imageLimits.idempotencyKeyCharactersMax,
  },
};

function imageAnswer(events: string): JsonObject {
  const names = ['x-request-id', 'x-tintype-cost', 'x-tintype-balance', 'x-tintype-currency'];
  return {
    200: {
      description:
        'The pictures. With `stream`, events of this schema, the last of which is `*.completed` or ' +
        '`error`; an event tells its cost itself.',
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

/** One answer for each status that an error can have, naming the codes that come with it. */
function errorAnswers(): JsonObject {
  const byStatus = Map.groupBy(errorCodes, statusOf);
  const slow = '`invalid_request_error`: the body stalled or took too long; the connection closes';
  return {
    ...Object.fromEntries(
      [...byStatus].map(([status, codes]) => {
        const description = codes.map((code) => `\`${code}\``).join(' or ');
        return [errorName(status), errorAnswer(description, retryHeaders(codes))];
      }),
    ),
    [errorName(408)]: errorAnswer(slow),
  };
}

function errorAnswer(description: string, more: readonly string[] = []): JsonObject {
  return {
    description,
    headers: headerRefs(['x-request-id', ...more]),
    content: { 'application/json': { schema: ref('Error') } },
  };
}

function retryHeaders(codes: readonly ErrorCode[]): string[] {
  const more = codes.includes('unauthorized') ? ['www-authenticate'] : [];
  return ['retry-after', 'x-should-retry', ...more];
}

/** A multipart edit has the same fields as text, and pictures as files. */
function editFormSchema(): JsonObject {
  const { properties, required, ...schema } = requestSchema(editFieldsSchema);
  const file = { type: 'string', contentMediaType: 'application/octet-stream' };
  // An object schema made by zod has both.
  const fields = Object.entries(properties as Record<string, JsonObject>);
  return {
    ...schema,
    properties: {
      ...Object.fromEntries(fields.map(([name, field]) => [name, withoutNull(field)])),
      'image[]': {
        type: 'array',
        items: file,
        minItems: 1,
        maxItems: imageLimits.referenceImagesMax,
        description:
          'Reference images, in the order of their parts; `image` and `image[0]` are read alike.',
      },
      mask: {
        ...file,
        description: 'A PNG of the first image’s size; its fully transparent pixels are changed.',
      },
    },
    required: [...(required as string[]), 'image[]'],
  };
}

/** A form has no null: a field is there or it is not. */
function withoutNull({ anyOf, ...field }: JsonObject): JsonObject {
  if (Array.isArray(anyOf)) {
    // The options of a field are schemas.
    const options = anyOf as JsonObject[];
    return { ...options.find((option) => option['type'] !== 'null'), ...field };
  }
  const { type, ...rest } = field;
  const types: readonly unknown[] = Array.isArray(type) ? type : [type];
  return { type: types.find((name) => name !== 'null'), ...rest };
}

function header(description: string): JsonObject {
  return { description, schema: { type: 'string' } };
}
