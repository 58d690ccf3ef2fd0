import { invalidRequest } from './service-error.ts';

/** The name that somebody gives to a thing of theirs, without blanks around it. */
export function parseName(text: string, charactersMax: number): string {
  const name = text.trim();
  if (name === '' || name.length > charactersMax || /\p{Cc}/u.test(name)) {
    throw invalidRequest('name', `A name has 1 to ${charactersMax} printable characters.`);
  }
  return name;
}
