import { expect, it } from 'vitest';
import { capabilitiesOf } from './image-models.ts';

it.each([
  ['gpt-image-2', false],
  ['gpt-image-2-2026-04-21', false],
  ['openai/gpt-image-2', false],
  ['gpt-image-2.5-sunburst', true],
  ['gpt-image-1.5', true],
  ['our-deployment', true],
])('%s makes a transparent background: %s', (upstreamModel, isMade) => {
  expect(capabilitiesOf(upstreamModel).transparentBackground).toBe(isMade);
});
