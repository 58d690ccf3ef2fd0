import { describe, expect, it, test } from 'vitest';
import type { ImageOrder } from '../jobs/image-order.ts';
import { codeOf } from './code-parts.ts';
import { snippetOf, targets } from './snippet-of.ts';

const generation: ImageOrder = {
  operation: 'generation',
  fields: { model: 'gen-image-2', prompt: `It's a "fox" $HOME\n\`whoami\` 雪`, quality: 'high' },
  partialImages: 2,
  references: [],
  mask: null,
};
const png = new Blob(['picture'], { type: 'image/png' });
const edit: ImageOrder = {
  ...generation,
  operation: 'edit',
  references: [
    { name: 'mine.png', image: png },
    { name: 'b.jpeg', image: new Blob(['b'], { type: 'image/jpeg' }) },
  ],
  mask: png,
};
const write = (order: ImageOrder, target: (typeof targets)[number], isStream = false) =>
  snippetOf({ order, target, baseUrl: 'https://images.example/v1', isStream });

describe.each(targets)('%s', (target) => {
  it('reads the key from the environment, and streams when it is to', () => {
    for (const order of [generation, edit]) {
      const [still, stream] = [codeOf(write(order, target)), codeOf(write(order, target, true))];
      expect(still).toMatch(/IMAGE_API_KEY/);
      expect(still).not.toMatch(/sk-|stream/);
      expect(stream).toMatch(/stream/i);
      expect(stream).toMatch(/partial_images/);
    }
  });

  it('names the files of an edit', () => {
    const code = codeOf(write(edit, target));
    for (const name of ['reference-1.png', 'reference-2.jpg', 'mask.png'])
      expect(code).toContain(name);
    expect(codeOf(write(generation, target))).not.toContain('reference');
  });

  it('marks the prompt as a text and nothing else', () => {
    const parts = write(
      { ...generation, fields: { ...generation.fields, prompt: 'import from const' } },
      target,
    );
    const withPrompt = parts.filter(({ code }) => code.includes('import from const'));
    expect(withPrompt.map(({ kind }) => kind)).toEqual(['text']);
  });
});

test('curl quotes for a shell', () => {
  expect(codeOf(write(generation, 'curl'))).toContain(`It'\\''s a \\"fox\\" $HOME\\n\`whoami\``);
});

test('PowerShell doubles its quotes', () => {
  expect(codeOf(write(generation, 'powershell'))).toContain(`It''s a \\"fox\\" $HOME\\n`);
});

test('JavaScript reads its texts back', () => {
  const found = /prompt: ('.*'),$/m.exec(codeOf(write(generation, 'node')))?.[1] ?? '';
  // What is evaluated is our own code.
  // oxlint-disable-next-line no-eval -- the literal is what is tested
  expect((0, eval)(found)).toBe(generation.fields.prompt);
});
