import { UpstreamError } from '../upstream.ts';

/**
 * The prompt without what the engine would take as an order to itself. A space takes its place, so
 * that what stood around it does not join into another one; one pass over the prompt is enough.
 */
export function strippedPrompt(prompt: string, directives: readonly RegExp[]): string {
  const stripped = directives.reduce((text, directive) => text.replace(directive, ' '), prompt);
  if (stripped.trim() !== '') return stripped;
  throw new UpstreamError('bad_request', 'nothing is left of the prompt without its directives');
}
