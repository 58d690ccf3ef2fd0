/** What the console weighs, as browsers get it. */
import { expect, it } from 'vitest';
import { measureSizes } from '../../web/build/sizes.ts';

it.each(measureSizes())('$name stays within $bytesMax bytes', ({ bytes, bytesMax }) => {
  expect(bytes).toBeGreaterThan(0);
  expect(bytes).toBeLessThanOrEqual(bytesMax);
});
