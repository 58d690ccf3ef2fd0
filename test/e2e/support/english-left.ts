/** Which texts of a Chinese page are still English. */

/** Names, formats, units and codes, which every language writes the same way. */
const sameEverywhere = new Set(
  (
    'API CSV JSON URL HTTP HTTPS IP ID UTC USD OpenAPI curl Python Node fetch PowerShell ' +
    'PNG JPEG WebP WEBP ZIP kB MB GB Ctrl Safari Tintype OpenAI Images Responses ComfyUI ' +
    'Gemini Vertex AI Bedrock fal FLUX Replicate Vercel SDK Forge SD Next Draw Things KoboldCpp ' +
    'Stripe'
  ).split(' '),
);

/** Values of requests and settings: what is typed, or stands in code. */
const values =
  /\b(?:auto|low|xhigh|max|on|openai|dialect|system|name=value|stable-diffusion\.cpp)\b/;

/** What the demo's people and its upstream wrote, and what a language calls itself. */
const asWritten = [
  'Demo',
  'Admin',
  'Newcomer',
  'web shop',
  'batch',
  /sandbox(?:-\w+)?/,
  /seeded picture \d+/,
  'Most capable model of the 2.5 generation',
  'Fastest model of the 2.5 generation',
  'Generation and editing, kept for existing integrations',
  /Draws labelled test pictures, not AI\..*/,
  /This is a demo: .*/,
  'English',
  'electricity',
  'bank transfer',
  'booked twice',
  'for the outage of last week',
  'the picture came out wrong',
  // The audit shows what was written down at the time.
  'not delivered',
  values,
];

export function englishIn(texts: readonly string[]): readonly string[] {
  return texts
    .map((text) => ({ text, words: wordsOf(text) }))
    .filter(({ words }) => words.length > 0)
    .map(({ text, words }) => `English on a Chinese page: ${words.join(' ')} in "${text}"`);
}

function wordsOf(text: string): readonly string[] {
  const own = asWritten.reduce<string>((rest, each) => rest.replaceAll(all(each), ' '), text);
  const words = withoutCodes(own).match(/[A-Za-z]{2,}/g) ?? [];
  return words.filter((word) => !sameEverywhere.has(word));
}

function all(pattern: string | RegExp): string | RegExp {
  return typeof pattern === 'string' ? pattern : new RegExp(pattern, 'g');
}

/** Identifiers and addresses: digits, dots or slashes stand between their letters. */
function withoutCodes(text: string): string {
  return text.replaceAll(/[\w@/.:+-]*[\d_@/][\w@/.:+-]*/g, ' ');
}
