import { describe, expect, it } from 'vitest';
import { machineWord } from './machine-word.ts';

describe('a machine word', () => {
  it.each(['rate_limit_exceeded', '429', 'DeploymentNotFound', 'a.b:c-d', 'x'.repeat(64)])(
    '%s is one',
    (text) => {
      expect(machineWord(text)).toBe(text);
    },
  );

  it.each(['', 'two words', 'x'.repeat(65), '_a', 'naïve', 'a\nb', '<b>'])('%j is none', (text) => {
    expect(machineWord(text)).toBeNull();
  });
});
