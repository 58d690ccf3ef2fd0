/** By what an API key is told from others once it is issued: its last four characters, as lists show them. */
const wholeKey = /sk-[a-z0-9]{1,16}-[0-9A-Za-z]{45}([0-9A-Za-z]{4})(?![0-9A-Za-z])/;
const shownEnding = /(?:…|\.\.\.)([0-9A-Za-z]{4})$/;

/** Of a key that somebody has found somewhere, or of one as a list shows it: `sk-tin-…x7Qa`; null of another text. */
export function keyEndingIn(text: string): string | null {
  return (wholeKey.exec(text) ?? shownEnding.exec(text.trim()))?.[1] ?? null;
}

/** What is looked for instead: a key that is typed into a field is not to stand in an address, nor in a log. */
export function shownKeyEnding(text: string): string | null {
  const ending = keyEndingIn(text);
  return ending === null ? null : `…${ending}`;
}
