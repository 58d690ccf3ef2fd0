import { UpstreamError } from '../upstream.ts';
import type { PromptDirective } from './dialect.ts';

/** The prompt without what the engine would take as an order to itself. */
export function strippedPrompt(prompt: string, directives: readonly PromptDirective[]): string {
  let stripped = prompt;
  // Again and again, for what is left may form a directive that stood around another one. Ends,
  // because each round makes the text shorter or is the last.
  for (let before = ''; before !== stripped; ) {
    before = stripped;
    for (const { pattern, becomes } of directives) stripped = stripped.replace(pattern, becomes);
  }
  if (stripped.trim() === '') {
    throw new UpstreamError('bad_request', 'nothing is left of the prompt without its directives');
  }
  return stripped;
}
