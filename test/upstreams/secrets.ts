import type { FakeAnswer } from './contract-subject.ts';

export interface Secrets {
  credential: string | null;
  prompt: string | null;
  /** What the upstream said: no words of it may be repeated. */
  answers: readonly FakeAnswer[];
}

/** What is told as text is short; the rest of a long answer is a picture. */
const answerCharactersMax = 16_384;

/** The first of the secrets that the text contains, in whatever spelling; null when there is none. */
export function findSecret(text: string, { credential, prompt, answers }: Secrets): string | null {
  const secrets = [
    ...(credential === null ? [] : spellings(credential)),
    ...(prompt === null ? [] : spellings(prompt)),
    ...answers.flatMap(phrasesOf),
  ];
  return secrets.find((secret) => text.includes(secret)) ?? null;
}

function spellings(secret: string): string[] {
  const base64 = Buffer.from(secret).toString('base64').replace(/=+$/, '');
  return [secret, encodeURIComponent(secret), base64];
}

/** Runs of at least three words: shorter ones may be words of ours too. */
function phrasesOf({ body }: FakeAnswer): string[] {
  const text = Buffer.concat(body).toString('latin1', 0, answerCharactersMax);
  return text.match(/[A-Za-z]{2,}(?:,? [A-Za-z]{2,}){2,}/g) ?? [];
}
