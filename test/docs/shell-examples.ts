/** The commands that a document shows in its `sh` blocks. */

export interface ShellExample {
  /** As it stands there, for messages. */
  line: string;
  /** Its words, without quotes. */
  words: readonly string[];
  /** The file behind `<`. */
  input: string | null;
}

/** Those of `program`, in the order in which they stand there. */
export function shellExamples(document: string, program: string): readonly ShellExample[] {
  return [...document.matchAll(/^```sh\n(.*?)^```$/gms)]
    .flatMap(([, block = '']) => block.replaceAll('\\\n', ' ').split('\n'))
    .map((line) => ({ line: line.trim(), ...parse(line) }))
    .filter(({ words }) => words[0] === program)
    .map((example) => ({ ...example, words: example.words.slice(1) }));
}

/** A word is of pieces: in quotes of either kind, or plain. `#` begins a comment. */
function parse(line: string): Pick<ShellExample, 'words' | 'input'> {
  const words: string[] = [];
  for (const [found] of line.matchAll(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g)) {
    if (found.startsWith('#')) break;
    words.push(found.replaceAll(/'([^']*)'|"([^"]*)"/g, '$1$2'));
  }
  const arrow = words.indexOf('<');
  if (arrow === -1) return { words, input: null };
  return { words: words.slice(0, arrow), input: words[arrow + 1] ?? null };
}
