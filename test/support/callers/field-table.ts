/**
 * The text fields of an image request (specification, section 2.1) with values on both sides of
 * each rule. The same table is sent in every way to ask.
 */
import { type Fields, smallPrompt, type Way } from './ways-to-ask.ts';

interface FieldRule {
  field: string;
  /** What else the request has. */
  with?: Fields;
  accepts: readonly unknown[];
  /** A request without it is refused too. */
  required?: true;
  refuses: readonly unknown[];
  /** Of a type that a form cannot express, or nothing, by which a form leaves a field out. */
  refusesInJson?: readonly unknown[];
  /** Other spellings of numbers and booleans, which a form has as text, and nothing. */
  acceptsInForms?: readonly string[];
  /** Named only where generations have no such field. */
  operation?: 'edit';
}

const longestPrompt = 32_000;
const notText = [5, true, ['a'], { a: 1 }];
const notANumber = ['1', true, [1], {}];

export const fieldTable: readonly FieldRule[] = [
  {
    field: 'model',
    required: true,
    accepts: ['gen-image-2.5-sunburst', 'gen-image-2.5-flare', 'gen-image-2'],
    refuses: ['', ' ', 'dall-e-3', 'gen-image-3', 'GEN-IMAGE-2', 'gen-image-2 ', 'm'.repeat(201)],
    refusesInJson: notText,
  },
  {
    field: 'prompt',
    required: true,
    accepts: [
      'x',
      `“Füchse” 狐 🦊\nin ${smallPrompt}`,
      smallPrompt.padEnd(longestPrompt, 'a'),
      // Code points are counted: each of these has two UTF-16 units and four bytes.
      smallPrompt + '😀'.repeat(longestPrompt - smallPrompt.length),
    ],
    refuses: [
      '',
      ' \n\t ',
      smallPrompt.padEnd(longestPrompt + 1, 'a'),
      smallPrompt + '😀'.repeat(longestPrompt + 1 - smallPrompt.length),
      'a\0b',
    ],
    refusesInJson: [...notText, 'half a pair: \ud83d'],
  },
  {
    field: 'n',
    accepts: [1, 2, 10],
    refuses: [0, -1, 11, 1.5, 'two', 99999999999],
    refusesInJson: ['', ...notANumber],
    acceptsInForms: [''],
  },
  {
    field: 'size',
    accepts: ['auto', '1024x1024', '1536x1024', '1024x1536'],
    refuses: ['512x512', '256x256', '1792x1024', '1024X1024', '1024 x 1024', 'large'],
    refusesInJson: ['', 1024, ['1024x1024']],
    acceptsInForms: [''],
  },
  {
    field: 'quality',
    accepts: ['auto', 'low', 'medium', 'high', 'xhigh', 'max', 'standard'],
    refuses: ['hd', 'LOW', 'ultra'],
    refusesInJson: ['', 1, true],
    acceptsInForms: [''],
  },
  {
    field: 'quality',
    with: { model: 'gen-image-2' },
    accepts: ['auto', 'low', 'medium', 'high', 'standard'],
    refuses: ['xhigh', 'max'],
  },
  {
    field: 'response_format',
    accepts: ['b64_json', 'url'],
    refuses: ['b64', 'URL', 'json'],
    refusesInJson: ['', 1, {}],
    acceptsInForms: [''],
  },
  {
    field: 'output_format',
    accepts: ['png', 'jpeg', 'webp'],
    refuses: ['jpg', 'gif', 'avif', 'PNG', 'image/png'],
    refusesInJson: ['', 1, ['png']],
    acceptsInForms: [''],
  },
  {
    field: 'background',
    accepts: ['auto', 'opaque', 'transparent'],
    refuses: ['white', 'none', 'TRANSPARENT'],
    refusesInJson: ['', 1, false],
    acceptsInForms: [''],
  },
  {
    field: 'background',
    with: { output_format: 'jpeg' },
    accepts: ['auto', 'opaque'],
    refuses: ['transparent'],
  },
  {
    field: 'output_compression',
    with: { output_format: 'webp' },
    accepts: [0, 1, 100],
    refuses: [-1, 101, 50.5, 'high'],
    refusesInJson: ['', ...notANumber],
    acceptsInForms: [''],
  },
  {
    // Callers send it whatever the format.
    field: 'output_compression',
    with: { output_format: 'png' },
    accepts: [0, 50],
    refuses: [101],
  },
  {
    field: 'moderation',
    accepts: ['auto', 'low'],
    refuses: ['off', 'high'],
    refusesInJson: ['', 1],
    acceptsInForms: [''],
  },
  {
    field: 'stream',
    accepts: [false, true],
    refuses: ['yes', 'on', 2],
    refusesInJson: ['', 'true', 1, 0],
    acceptsInForms: ['', 'True', 'FALSE', '1', '0'],
  },
  {
    field: 'partial_images',
    accepts: [0, 3],
    refuses: [-1, 4, 1.5, 'all'],
    refusesInJson: ['', ...notANumber],
    acceptsInForms: [''],
  },
  {
    field: 'partial_images',
    with: { stream: true },
    accepts: [0, 1, 2, 3],
    refuses: [4],
  },
  {
    field: 'n',
    with: { stream: true },
    accepts: [1],
    refuses: [2, 10],
  },
  {
    field: 'input_fidelity',
    operation: 'edit',
    accepts: ['low', 'high'],
    refuses: ['medium', 'HIGH'],
    refusesInJson: ['', 1],
    acceptsInForms: [''],
  },
];

export interface FieldSample {
  field: string;
  /** Such as `size "512x512"`. */
  title: string;
  fields: Fields;
}

/** Every value of the table that is right in a way to ask. */
export function rightValues(way: Way): FieldSample[] {
  return rulesOf(way).flatMap((rule) => {
    const more = way.form === 'multipart' ? (rule.acceptsInForms ?? []) : [];
    return [...rule.accepts, ...more].map((value) => sampleOf(rule, value));
  });
}

/** Every value of the table that is wrong in it. */
export function wrongValues(way: Way): FieldSample[] {
  return rulesOf(way).flatMap((rule) => {
    const missing = rule.required ? [undefined] : [];
    // Where a field is required, null is as good as nothing.
    const nothing = rule.required && way.form === 'json' ? [null] : [];
    const more = way.form === 'json' ? (rule.refusesInJson ?? []) : [];
    return [...rule.refuses, ...missing, ...nothing, ...more].map((v) => sampleOf(rule, v));
  });
}

/** The fields that may be absent. */
export function optionalFields(way: Way): string[] {
  const names = rulesOf(way).flatMap(({ field, required }) => (required ? [] : [field]));
  return [...new Set(names)];
}

function rulesOf({ operation }: Way): readonly FieldRule[] {
  return fieldTable.filter((rule) => (rule.operation ?? operation) === operation);
}

function sampleOf(rule: FieldRule, value: unknown): FieldSample {
  const beside = rule.with ? ` beside ${JSON.stringify(rule.with)}` : '';
  return {
    field: rule.field,
    title: `${rule.field} ${shorten(JSON.stringify(value) ?? 'missing')}${beside}`,
    fields: { ...rule.with, [rule.field]: value },
  };
}

function shorten(text: string): string {
  return text.length <= 60 ? text : `${text.slice(0, 40)}… of ${text.length - 2}`;
}
