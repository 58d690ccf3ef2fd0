import { invalidRequest } from './service-error.ts';

/** The name that somebody gives to a thing of theirs, without blanks around it. */
export function parseName(text: string, charactersMax: number): string {
  const name = text.trim();
  if (!isSeen(name) || name.length > charactersMax || shownOf(name) !== name) {
    throw invalidRequest('name', `A name has 1 to ${charactersMax} printable characters.`);
  }
  return name;
}

/** Joiners between letters or emoji are part of a name; alone, they are one that nobody could read, or click on. */
export function isSeen(text: string): boolean {
  return /[^\s\p{C}\p{Default_Ignorable_Code_Point}]/u.test(text);
}

/** With blanks for what nobody sees, and for what turns around the order of what stands beside it. */
export function shownOf(text: string): string {
  return text.replaceAll(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, ' ');
}
