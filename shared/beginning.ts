/** The beginning of a text, for names and titles. What takes two code units, such as an emoji, is not cut in half. */
export function beginningOf(text: string, unitsMax: number): string {
  return text.slice(0, unitsMax).replace(/[\ud800-\udbff]$/, '');
}
