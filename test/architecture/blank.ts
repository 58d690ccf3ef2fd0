/**
 * Makes source text searchable: replaces what is not code by spaces, so that every character keeps
 * its place. TypeScript 7 has no parser to call, so this reads just enough of the language.
 */
export interface BlankedText {
  /** Without comments. */
  withoutComments: string;
  /** Without comments and without the contents of strings and regular expressions. */
  codeOnly: string;
}

export function blank(text: string): BlankedText {
  const comments: Range[] = [];
  const strings: Range[] = [];
  let at = 0;
  // One entry per template whose `${…}` we are in: the depth of braces inside it.
  const templates: number[] = [];
  while (at < text.length) {
    const two = text.slice(at, at + 2);
    const char = text.charAt(at);
    if (two === '//') at = note(comments, at, endOfLine(text, at));
    else if (two === '/*') at = note(comments, at, endAfter(text, '*/', at + 2));
    else if (char === "'" || char === '"') at = inner(strings, at, endOfQuoted(text, at));
    else if (char === '/' && startsRegex(text, at)) at = inner(strings, at, endOfRegex(text, at));
    else if (char === '`' || (char === '}' && templates.at(-1) === 0)) {
      if (char === '}') templates.pop();
      const end = endOfTemplatePart(text, at + 1);
      if (text.startsWith('${', end - 2)) templates.push(0);
      at = inner(strings, at, end);
    } else {
      countBrace(templates, char);
      at += 1;
    }
  }
  const withoutComments = blankRanges(text, comments);
  return { withoutComments, codeOnly: blankRanges(withoutComments, strings) };
}

interface Range {
  from: number;
  to: number;
}

function note(ranges: Range[], from: number, to: number): number {
  ranges.push({ from, to });
  return to;
}

/** Notes what lies between the delimiters, which stay. */
function inner(ranges: Range[], from: number, end: number): number {
  ranges.push({ from: from + 1, to: Math.max(from + 1, end - 1) });
  return end;
}

function countBrace(templates: number[], char: string): void {
  const depth = templates.pop();
  if (depth === undefined) return;
  if (char === '{') templates.push(depth + 1);
  else if (char === '}') templates.push(depth - 1);
  else templates.push(depth);
}

function endOfLine(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end === -1 ? text.length : end;
}

function endAfter(text: string, mark: string, at: number): number {
  const end = text.indexOf(mark, at);
  return end === -1 ? text.length : end + mark.length;
}

/** A quoted string ends with its line at the latest, so an apostrophe in prose does little harm. */
function endOfQuoted(text: string, start: number): number {
  const quote = text.charAt(start);
  for (let at = start + 1; at < text.length; at++) {
    const char = text.charAt(at);
    if (char === '\\') at += 1;
    else if (char === quote || char === '\n') return at + 1;
  }
  return text.length;
}

/** Up to and with the closing backtick or the next `${`. */
function endOfTemplatePart(text: string, start: number): number {
  for (let at = start; at < text.length; at++) {
    const char = text.charAt(at);
    if (char === '\\') at += 1;
    else if (char === '`') return at + 1;
    else if (char === '$' && text.charAt(at + 1) === '{') return at + 2;
  }
  return text.length;
}

function endOfRegex(text: string, start: number): number {
  let inClass = false;
  for (let at = start + 1; at < text.length; at++) {
    const char = text.charAt(at);
    if (char === '\\') at += 1;
    else if (char === '[') inClass = true;
    else if (char === ']') inClass = false;
    else if (char === '\n' || (char === '/' && !inClass)) return at + 1;
  }
  return text.length;
}

/** A slash divides after a value; anywhere else it opens a regular expression. */
function startsRegex(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - 40), at).trimEnd();
  if (/\b(?:return|typeof|case|in|of|do|else|void)$/.test(before)) return true;
  return before === '' || /[(,=:[!&|?{};+\-*%<>~^]$/.test(before);
}

function blankRanges(text: string, ranges: readonly Range[]): string {
  let blanked = '';
  let at = 0;
  for (const { from, to } of ranges) {
    blanked += text.slice(at, from) + text.slice(from, to).replace(/[^\n]/g, ' ');
    at = to;
  }
  return blanked + text.slice(at);
}
