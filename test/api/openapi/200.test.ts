import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { consolePrefix } from '../../../server/http/console/console-path.ts';
import { consoleRoutes } from '../../../server/http/console/console-routes.ts';
import { statusOf } from '../../../server/http/errors.ts';
import { routes } from '../../../server/http/routes.ts';
import { must } from '../../../server/lib/assert.ts';
import { errorCodes } from '../../../shared/error-codes.ts';
import { describeApi } from '../../support/callers/api.ts';
import { fieldTable, rightValues, wrongValues } from '../../support/callers/field-table.ts';
import {
  dataUrl,
  dot,
  type Fields,
  generation,
  jsonEdit,
} from '../../support/callers/ways-to-ask.ts';

type JsonObject = Record<string, unknown>;

describeApi((api) => {
  const read = async () => {
    const answer = await api.get('/openapi.json', { user: null });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    return documentSchema.parse(answer.body);
  };
  /** A schema of the document as a check. */
  const compile = async (name: string) =>
    z.fromJSONSchema(must((await read()).components.schemas[name], name));

  describe('the OpenAPI document', () => {
    test('is of version 3.1 and says what it is about', async () => {
      const { openapi, info, security } = await read();
      expect(openapi).toBe('3.1.0');
      expect(info).toMatchObject({ title: 'Tintype', version: expect.any(String) });
      expect(security).toEqual([{ apiKey: [] }]);
    });

    test('has every route, and no other', async () => {
      const { paths } = await read();
      const described = Object.entries(paths).flatMap(([path, operations]) =>
        Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
      );
      const served = [...routes, ...consoleAddresses].map(
        ({ method, path }) => `${method} ${openPath(path)}`,
      );
      expect(described.sort()).toEqual(served.sort());
    });

    test('says which routes need no key', async () => {
      const { paths } = await read();
      for (const { method, path, access } of routes) {
        const operation = paths[openPath(path)]?.[method.toLowerCase()];
        expect(operation?.security).toEqual(access === 'public' ? [] : undefined);
        expect(Object.keys(operation?.responses ?? {}).includes('401')).toBe(access === 'api_key');
      }
    });

    test('says what the console asks for: a session, an access token, or nothing', async () => {
      const { paths } = await read();
      for (const { method, path, right } of consoleAddresses) {
        const operation = paths[openPath(path)]?.[method.toLowerCase()];
        const isPublic = right === 'anyone';
        expect(operation?.security, path).toEqual(
          isPublic ? [] : [{ session: [] }, { accessToken: [] }],
        );
        expect(Object.keys(operation?.responses ?? {}).includes('401'), path).toBe(!isPublic);
        expect(operation?.['tags']).toEqual(['console']);
      }
    });

    test('describes what the console takes and gives', async () => {
      const { paths } = await read();
      const list = paths['/api/console/usage']?.['get'];
      const names = list?.parameters?.map(({ name }) => name);
      expect(names).toEqual(expect.arrayContaining(['range', 'tz', 'model', 'cursor']));
      const issue = paths['/api/console/keys']?.['post'];
      expect(JSON.stringify(issue?.['requestBody'])).toContain('monthly_limit');
      expect(JSON.stringify(issue?.responses['200'])).toContain('secret');
      const table = paths['/api/console/usage.csv']?.['get'];
      expect(JSON.stringify(table?.responses['200'])).toContain('text/csv');
    });

    test('names operations once, and parameters of paths', async () => {
      const { paths } = await read();
      const operations = Object.entries(paths).flatMap(([path, byMethod]) =>
        Object.values(byMethod).map((operation) => ({ path, ...operation })),
      );
      const names = operations.map(({ operationId }) => operationId);
      expect(new Set(names).size).toBe(names.length);
      for (const { path, parameters = [] } of operations) {
        const inPath = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]);
        expect(parameters.flatMap((one) => (one.in === 'path' ? one.name : []))).toEqual(inPath);
      }
    });

    test('has no reference that leads nowhere', async () => {
      const document = await read();
      const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)];
      expect(references.length).toBeGreaterThan(20);
      for (const [, path = ''] of references) {
        const target = path.split('/').reduce<unknown>((at, name) => memberOf(at, name), document);
        expect(target, path).toBeTypeOf('object');
      }
    });

    test('has every error code with its status', async () => {
      const { components } = await read();
      for (const code of errorCodes) {
        expect(components.responses[`Error${statusOf(code)}`]?.description).toContain(code);
      }
      expect(JSON.stringify(components.schemas['Error'])).toContain(JSON.stringify(errorCodes));
    });

    test('says of whatever takes a body that it may come too slowly', async () => {
      const { paths } = await read();
      for (const [path, operations] of Object.entries(paths)) {
        for (const { requestBody, responses } of Object.values(operations)) {
          expect('408' in responses, path).toBe(requestBody !== undefined);
        }
      }
    });

    test('says which form a partial image tells: the one that was asked for', async () => {
      const { components } = await read();
      const asked = 'As asked for, which may be `auto`.';
      for (const name of ['GenerationEvent', 'EditEvent']) {
        const { oneOf } = eventsSchema.parse(components.schemas[name]);
        const [partial, completed] = oneOf;
        for (const field of ['size', 'quality', 'background']) {
          expect(partial?.properties[field], field).toMatchObject({ description: asked });
          expect(completed?.properties[field], field).not.toMatchObject({ description: asked });
        }
      }
    });

    test('has schemas that compile', async () => {
      const { components } = await read();
      for (const schema of Object.values(components.schemas)) {
        expect(() => z.fromJSONSchema(schema)).not.toThrow();
      }
    });
  });

  describe('its schemas', () => {
    test.each([
      ['GenerationRequest', generation, {}],
      ['EditRequest', jsonEdit, { images: [{ image_url: dataUrl(dot) }] }],
    ] as const)('of a %s agree with the service', async (name, way, more) => {
      const schema = await compile(name);
      const needed: Fields = { model: 'gen-image-2', prompt: 'a fox', ...more };
      for (const { title, fields } of rightValues(way)) {
        expect(schema.safeParse({ ...needed, ...fields }).success, title).toBe(true);
      }
      const told = wrongValues(way).filter(({ fields }) => {
        return !schema.safeParse({ ...needed, ...fields }).success;
      });
      // A schema cannot tell rules of several fields, nor which models there are.
      expect(told.length).toBeGreaterThan(wrongValues(way).length * 0.75);
    });

    test('of forms have the same fields without null', async () => {
      const { components } = await read();
      const form = propertiesOf(components.schemas['EditForm']);
      const body = propertiesOf(components.schemas['EditRequest']);
      const { images: _images, mask: _mask, ...fields } = body;
      expect(Object.keys(form).sort()).toEqual([...Object.keys(fields), 'image[]', 'mask'].sort());
      expect(JSON.stringify(form)).not.toContain('null');
      const known = new Set(fieldTable.map(({ field }) => field));
      expect(new Set(Object.keys(fields))).toEqual(known);
    });

    test('of answers accept what the service answers', async () => {
      const images = await api.ask(generation);
      expect((await compile('ImagesResponse')).safeParse(images.body).success).toBe(true);
      const models = await api.get('/v1/models');
      expect((await compile('ModelList')).safeParse(models.body).success).toBe(true);
      const error = await api.ask(generation, { n: 0 });
      expect((await compile('Error')).safeParse(error.body).success).toBe(true);
      // Clients made from them must not break when a field is added.
      const { components } = await read();
      for (const name of ['ImagesResponse', 'GenerationEvent', 'EditEvent', 'Model', 'Error']) {
        const text = JSON.stringify(components.schemas[name]);
        expect(text).not.toContain('additionalProperties');
      }
    });
  });
});

const operationSchema = z.looseObject({
  operationId: z.string(),
  summary: z.string(),
  security: z.array(z.unknown()).optional(),
  parameters: z.array(z.looseObject({ name: z.string(), in: z.string() })).optional(),
  responses: z.record(z.string(), z.unknown()),
});

const eventsSchema = z.object({
  oneOf: z.array(z.looseObject({ properties: z.record(z.string(), z.unknown()) })),
});

const objectSchema = z.record(z.string(), z.unknown());

const documentSchema = z.looseObject({
  openapi: z.string(),
  info: objectSchema,
  security: z.array(z.unknown()),
  paths: z.record(z.string(), z.record(z.string(), operationSchema)),
  components: z.looseObject({
    schemas: z.record(z.string(), objectSchema),
    responses: z.record(z.string(), z.looseObject({ description: z.string() })),
  }),
});

const consoleAddresses = consoleRoutes.map(({ method, path, right }) => ({
  method,
  path: `${consolePrefix}${path}`,
  right,
}));

function openPath(path: string): string {
  return path.replace(/:(\w+)/g, '{$1}');
}

function propertiesOf(schema: JsonObject | undefined): JsonObject {
  return objectSchema.parse(schema?.['properties']);
}

function memberOf(holder: unknown, name: string): unknown {
  if (typeof holder !== 'object' || holder === null) return undefined;
  return new Map(Object.entries(holder)).get(name);
}
