import { withoutRandomWords } from '../wire/random-words.ts';

/**
 * Words in a prompt that are orders to the engine. Whoever may write them loads files of the
 * operator's and multiplies the work of a picture that has one price, so they are taken out.
 *
 * - `<lora:…>`, `<hypernet:…>`, `<lyco:…>` and whatever else an extension understands: all engines
 *   take `<word:…>` out of the prompt themselves, so no picture is the poorer.
 * - `<sd_cpp_extra_args>` of stable-diffusion.cpp, which sets any parameter.
 * - `__colours__` and `{red|blue}`, which extensions replace by words drawn at random.
 * - `AND` in capitals, which adds one whole pass per step for each part it separates. The word stays, in
 *   small letters.
 */
export function withoutDirectives(prompt: string): string {
  // Last what sets spaces only, for without networks the rest may join to another directive.
  return withoutRandomWords(withoutNetworks(prompt))
    .replaceAll(/<\/?sd_cpp_extra_args>/g, ' ')
    .replaceAll(/\bAND\b/g, 'and');
}

/**
 * Takes every `<word:…>` out, those too that come about when another is taken out. It goes through
 * the prompt once, for it must not take long whatever the prompt.
 */
function withoutNetworks(prompt: string): string {
  const kept: string[] = [];
  /** Where the leftmost directive begun since the last `>` stands in `kept`. */
  let opened: number | null = null;
  for (const character of prompt) {
    kept.push(character);
    if (character === ':') opened ??= openingBefore(kept);
    if (character !== '>') continue;
    if (opened !== null) kept.length = opened;
    opened = null;
  }
  return kept.join('');
}

/** Where the `<word:` that the text ends with begins; null when it ends with none. */
function openingBefore(kept: readonly string[]): number | null {
  let at = kept.length - 2;
  while (at >= 0 && wordCharacter.test(kept[at] ?? '')) at--;
  return at >= 0 && at < kept.length - 2 && kept[at] === '<' ? at : null;
}

/** As Python's `\w`, with which the engines look for directives. */
const wordCharacter = /[\p{L}\p{N}_]/u;
