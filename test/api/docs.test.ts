/** `docs/api.md` says what the code does: its tables are compared with the code, row by row. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { optionsTable } from '../../server/config.ts';
import { errorBody, statusOf } from '../../server/http/errors.ts';
import { routes } from '../../server/http/routes.ts';
import { ServiceError } from '../../server/lib/service-error.ts';
import { settingsTable } from '../../server/settings/settings.ts';
import { editFieldsSchema } from '../../shared/api/images.ts';
import { errorCodes } from '../../shared/error-codes.ts';
import { imageLimits } from '../../shared/limits.ts';

const text = readFileSync(new URL('../../docs/api.md', import.meta.url), 'utf8');

describe('docs/api.md', () => {
  test('has every error with its status and type', () => {
    const rows = tableOf('errors').map(([status, code, type]) => [status, code, type]);
    expect(rows).toEqual(
      [...errorCodes].map((code) => {
        const { error } = errorBody(new ServiceError(code, ''), '');
        return [String(statusOf(code)), `\`${code}\``, `\`${error.type}\``];
      }),
    );
    for (const row of tableOf('errors')) expect(row.every((cell) => cell !== '')).toBe(true);
  });

  test('has every limit with its value', () => {
    const mebibyte = 1_048_576;
    const seconds = (ms: number) => `${ms / 1000} s`;
    const { generationBodyBytesMax, editBodyBytesMax, requestDeadlineMs, ...options } =
      optionsTable;
    expect(tableOf('limits')).toEqual([
      ['Prompt', `${grouped(imageLimits.promptCharactersMax)} characters`],
      ['Pictures per request', `${imageLimits.picturesMax}`],
      ['Partial images per stream', `${imageLimits.partialImagesMax}`],
      ['Reference images per edit', `${imageLimits.referenceImagesMax}`],
      [
        'Each reference image or mask, also decoded from a data URL',
        `${imageLimits.fileBytesMax / mebibyte} MiB (${grouped(imageLimits.fileBytesMax)} bytes)`,
      ],
      ['Pixels of a reference image or mask', grouped(imageLimits.filePixelsMax)],
      ['Idempotency-Key', `${imageLimits.idempotencyKeyCharactersMax} characters`],
      ['Nesting of a JSON body', `${imageLimits.jsonDepthMax} levels`],
      ['Body of a generation *', `${generationBodyBytesMax.default / mebibyte} MiB`],
      [
        'Body of an edit, and all its pictures together *',
        `${editBodyBytesMax.default / mebibyte} MiB`,
      ],
      ['Time for an answer *', seconds(requestDeadlineMs.default)],
      ['Time for a stream *', seconds(options.streamDeadlineMs.default)],
      ['Time to fetch a picture by its URL *', seconds(options.imageFetchTimeoutMs.default)],
      ['Wait for a caller that left *', seconds(options.graceMs.default)],
      ['Answers kept for their Idempotency-Key *', seconds(options.idempotencyReplayMs.default)],
      ['Requests of a user at once *', `${settingsTable.slotsPerUser.default}`],
      [
        'Requests of a user that run on without their caller *',
        `${settingsTable.abandonedRequestsPerUser.default}`,
      ],
    ]);
  });

  test('has every limit of an image request', () => {
    // One row each; those that operators choose are starred.
    const fixed = tableOf('limits').filter(([name]) => !name?.endsWith('*'));
    expect(fixed).toHaveLength(Object.keys(imageLimits).length);
  });

  test('has every field with its default and its values', () => {
    const { properties = {} } = z.toJSONSchema(editFieldsSchema, { io: 'input' });
    const rows = new Map(tableOf('fields').map(([name, ...cells]) => [name, cells]));
    const names = Object.keys(properties).map((name) => `\`${name}\``);
    expect(new Set(rows.keys())).toEqual(new Set(names));
    for (const [name, schema] of Object.entries(properties)) {
      const [, fallback, values] = rows.get(`\`${name}\``) ?? [];
      if (typeof schema === 'boolean') throw new Error('a field has a schema');
      if (schema.default !== undefined) {
        expect(fallback).toBe(`\`${plainSchema.parse(schema.default)}\``);
      }
      for (const value of valuesIn(schema.anyOf)) expect(values).toContain(value);
    }
  });

  test('has every field of pictures', () => {
    for (const name of ['image', 'image[]', 'mask', 'images', 'image_url', 'file_id']) {
      expect(text).toMatch(new RegExp(`[\`"]${name.replace('[]', String.raw`\[\]`)}[\`"]`));
    }
  });

  test('has every route', () => {
    for (const { path } of routes) expect(text).toContain(path.replace(':id', '{id}'));
  });
});

/** The cells of the table between two markers, without its head. */
function tableOf(name: string): string[][] {
  const [, table] = text.split(new RegExp(`<!-- ${name}: (?:begin|end) -->\n`));
  const [, , ...rows] = (table ?? '').trim().split('\n');
  return rows.map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

function grouped(value: number): string {
  return value.toLocaleString('en-US');
}

/** Each value of an enumeration; the ends of a range. */
function valuesIn(options: readonly unknown[] = []): string[] {
  return options.flatMap((option) => {
    const { enum: values = [], minimum, maximum } = rangeSchema.parse(option);
    const ends = minimum === undefined ? [] : [`${minimum} to ${maximum}`];
    return [...values.map((value) => `\`${value}\``), ...ends];
  });
}

const plainSchema = z.union([z.string(), z.number(), z.boolean()]);

const rangeSchema = z.object({
  enum: z.array(z.string()).optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
});
