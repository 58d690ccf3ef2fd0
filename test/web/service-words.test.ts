/** What the console has Chinese words for is what the service says: a sentence that is changed there is changed here too. */
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { service } from '../../web/i18n/zh-CN/service.ts';
import { isCode, isTest, readTree } from '../architecture/source-tree.ts';

describe.each(Object.entries(service))('%s', (sentence, words) => {
  it('is what the service says', () => {
    expect(sentencesOfService).toContain(sentence.replaceAll(/\{\w+\}/g, '{}'));
  });

  it('has the same places in Chinese', () => {
    expect(placesOf(words)).toEqual(placesOf(sentence));
  });
});

function placesOf(text: string): readonly string[] {
  return (text.match(/\{\w+\}/g) ?? []).sort();
}

/** Every text in the source of the service that is a sentence, with `{}` for each value that is put into one. */
const sentencesOfService: ReadonlySet<string> = new Set(
  readTree(fileURLToPath(new URL('../..', import.meta.url)))
    .filter(({ path }) => path.startsWith('server/') && isCode(path) && !isTest(path))
    .flatMap(({ text }) => {
      const whole = text
        .replaceAll(/\$\{(?:[^{}]|\{[^{}]*\})*\}/g, '{}')
        .replaceAll(/(?:\{\}){2,}/g, '{}');
      return [...whole.matchAll(/'([^'\n]+)'|`([^`\n]+)`/g)].map(
        ([, plain, template]) => plain ?? template ?? '',
      );
    }),
);
