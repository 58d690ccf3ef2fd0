import type { MailWords } from './mail-words.ts';

/** Whoever invites. The name is of their own choice. */
export interface Inviter {
  name: string;
  email: string;
}

/**
 * By whom a stranger is invited. Mail programs make links of whatever looks like one, and nobody is to
 * send strangers a link by calling themselves so: such a name is left out.
 */
export function inviterText(inviter: Inviter, words: MailWords['inviter']): string {
  const name = mayBeLinked(inviter.name) ? null : inviter.name;
  const email = isPlainAddress(inviter.email) ? inviter.email : null;
  if (name === null) return email ?? words.somebody;
  return email === null ? name : words.both(name, email);
}

/** `www.example.com`, `https:…`, `//…`, another address than theirs; not `Dr. Ada`. */
function mayBeLinked(name: string): boolean {
  return /[:/\\@]|[.。．｡]\S/u.test(name);
}

/** The usual ones: what may be an address besides is left out as well, as `https://example.com/@x`. */
function isPlainAddress(email: string): boolean {
  return /^[\p{L}\p{N}._%+'-]+@[\p{L}\p{N}.-]+$/u.test(email);
}
