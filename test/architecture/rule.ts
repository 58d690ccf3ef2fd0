import { lineAt, type SourceFile, type SourceTree } from './source-tree.ts';

/** One rule of the repository. */
export interface Rule {
  /** A sentence: what holds. */
  name: string;
  check: (tree: SourceTree) => Finding[];
  /** Files (or folders, with a closing slash) in which the rule does not hold, each with its reason. */
  exceptions?: Readonly<Record<string, string>>;
  /** A small tree that breaks the rule: shows that it can fail. */
  broken: Readonly<Record<string, string>>;
  /** Which files of `broken` get the blame, where it is not all of them. */
  blamed?: string[];
  /** A small tree that looks similar and keeps it. */
  kept?: Readonly<Record<string, string>>;
}

export interface Finding {
  path: string;
  line: number;
  what: string;
}

/** What breaks the rule in `tree`, one line each, exceptions that nothing needs any more included. */
export function violations(rule: Rule, tree: SourceTree): string[] {
  const exceptions = Object.keys(rule.exceptions ?? {});
  const covers = (exception: string, finding: Finding): boolean =>
    exception.endsWith('/') ? finding.path.startsWith(exception) : finding.path === exception;
  const findings = rule.check(tree);
  const open = findings.filter((finding) => !exceptions.some((each) => covers(each, finding)));
  const stale = exceptions.filter((each) => !findings.some((finding) => covers(each, finding)));
  return [
    ...open.map(({ path, line, what }) => `${path}:${line} ${what}`),
    ...stale.map((exception) => `${exception}: the exception is not needed any more`),
  ];
}

/** Every match of `pattern` (with the flag `g`) in one reading of the files. */
export function findAll(
  files: SourceTree,
  reading: 'text' | 'withoutComments' | 'codeOnly',
  pattern: RegExp,
): Finding[] {
  return files.flatMap((file) => findIn(file, file[reading], pattern));
}

function findIn(file: SourceFile, text: string, pattern: RegExp): Finding[] {
  return [...text.matchAll(pattern)].map((match) => ({
    path: file.path,
    line: lineAt(text, match.index),
    what: match[0].trim(),
  }));
}
