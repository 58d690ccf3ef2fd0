/** Words within stored texts, in small or large letters of any script. */
import { type RawBuilder, type SqlBool, sql } from 'kysely';

/**
 * Whether a word stands in a column's text. `lower` will not do for that: SQLite's knows the letters of
 * ASCII alone, and PostgreSQL's those of the database's locale.
 */
export function standsIn(column: string, word: string): RawBuilder<SqlBool> {
  let text = sql`lower(${sql.ref(column)})`;
  for (const [letter, small] of otherForms(word)) {
    text = sql`replace(${text}, ${letter}, ${small})`;
  }
  const pattern = `%${smallOf(word).replace(/[\\%_]/g, '\\$&')}%`;
  return sql<SqlBool>`coalesce(${text}, '') like ${pattern} escape '\\'`;
}

/** Of the letters in the word that are not ASCII: how else each is written, and what it is in small. */
function otherForms(word: string): ReadonlyMap<string, string> {
  const forms = new Map<string, string>();
  for (const letter of word.match(/[^\0-\x7f]/gu) ?? []) {
    const small = smallOf(letter);
    // Σ has a small form of its own for the end of a word, whichever stands in ours.
    const others = small === 'σ' ? ['ς'] : [];
    for (const form of [letter, small.toUpperCase(), ...others]) {
      if (form !== small) forms.set(form, small);
    }
  }
  return forms;
}

/** The same for all forms of a letter, as of Σ, σ and ς. What has no single small letter stays as it is. */
function smallOf(word: string): string {
  return [...word]
    .map((letter) => {
      const small = letter.toUpperCase().toLowerCase();
      return [...small].length === 1 ? small : letter;
    })
    .join('');
}
