/**
 * Pieces of code with their kinds: what snippets are written in, so that nothing has to guess them
 * later.
 */
export interface CodePart {
  kind: 'plain' | 'text' | 'word' | 'comment';
  code: string;
}

export type CodeLine = readonly CodePart[];

/** What the request brings into the code: always a literal of the language, quotes and all. */
export function literal(code: string): CodePart {
  return { kind: 'text', code };
}

/** Code that is put into a line as it is. */
export function bare(code: string): CodePart {
  return { kind: 'plain', code };
}

/**
 * A tag for lines of a language, which marks its words, texts and comments. It reads what is written
 * in this folder only; values come in as parts and are never looked into.
 */
export function language({ words, comment }: { words: readonly string[]; comment: string }) {
  const pattern = new RegExp(
    `(?<text>'[^']*'|"[^"]*"|\`[^\`]*\`)|(?<comment>${comment}.*)|\\b(?<word>${words.join('|')})\\b`,
    'g',
  );
  const marked = (code: string): CodeLine => {
    const parts: CodePart[] = [];
    let from = 0;
    for (const { 0: found, index, groups = {} } of code.matchAll(pattern)) {
      parts.push(bare(code.slice(from, index)));
      const kind = groups['text'] ? 'text' : groups['comment'] ? 'comment' : 'word';
      parts.push({ kind, code: found });
      from = index + found.length;
    }
    return [...parts, bare(code.slice(from))].filter((part) => part.code !== '');
  };
  return (strings: TemplateStringsArray, ...values: readonly (CodePart | CodeLine)[]): CodeLine =>
    strings.flatMap((fixed, index) => {
      const value = values[index] ?? [];
      return [...marked(fixed), ...('kind' in value ? [value] : value)];
    });
}

/** @param between at the end of every line but the last, such as a backslash */
export function joinLines(lines: readonly CodeLine[], between = ''): CodeLine {
  return lines.flatMap((line, index) =>
    index < lines.length - 1 ? [...line, bare(`${between}\n`)] : line,
  );
}

export function codeOf(parts: CodeLine): string {
  return parts.map(({ code }) => code).join('');
}
