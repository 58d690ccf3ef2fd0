/** Which lines of a Chinese page are not written as Chinese is: by their punctuation and spaces. */

/** Numbers and words of dates belong together. */
const dates = /(?:\d+年)?\d+月(?:\d+日)?/g;

const rules = [
  {
    what: 'punctuation of another script',
    pattern: /\p{Script=Han} ?[,;:?!()]|\) ?\p{Script=Han}/u,
  },
  {
    what: 'a space at full-width punctuation',
    pattern: /[，。；：？！（）] +[^\s·]|\S +[，。；：？！（）]/u,
  },
  {
    what: 'no space between scripts',
    pattern: /\p{Script=Han}[A-Za-z\d$]|[A-Za-z\d%]\p{Script=Han}/u,
  },
];

export function writingFaultsIn(lines: readonly string[]): readonly string[] {
  return lines.flatMap((line) => {
    const text = line.replaceAll(dates, '\u3007');
    return rules
      .filter(({ pattern }) => pattern.test(text))
      .map(({ what }) => `${what}: "${line}"`);
  });
}
