/** What a rewritten text keeps, adds and leaves out, word by word. */
export interface DiffPart {
  kind: 'same' | 'added' | 'removed';
  text: string;
}

/** Longer texts are shown without marks: the table has words × words entries. */
const wordsMax = 1_000;

/** Null when the texts are too long to be compared. */
export function diffWords(before: string, after: string): readonly DiffPart[] | null {
  const [old, fresh] = [wordsOf(before), wordsOf(after)];
  if (old.length > wordsMax || fresh.length > wordsMax) return null;
  const common = commonLengths(old, fresh);
  const parts: DiffPart[] = [];
  let [a, b] = [0, 0];
  while (a < old.length || b < fresh.length) {
    if (a < old.length && isSame(old[a], fresh[b])) {
      add(parts, 'same', longer(old[a++] ?? '', fresh[b++] ?? ''));
    } else if (b < fresh.length && (common[a]?.[b + 1] ?? 0) >= (common[a + 1]?.[b] ?? 0)) {
      add(parts, 'added', fresh[b++] ?? '');
    } else {
      add(parts, 'removed', old[a++] ?? '');
    }
  }
  return parts;
}

/** Words with the space behind them; each ideograph is one. */
function wordsOf(text: string): readonly string[] {
  return text.match(/\p{Script=Han}|[^\s\p{Script=Han}]+\s*|\s+/gu) ?? [];
}

/** The longest common subsequence of what is left from each place on. */
function commonLengths(old: readonly string[], fresh: readonly string[]): readonly Uint16Array[] {
  const rows = Array.from({ length: old.length + 1 }, () => new Uint16Array(fresh.length + 2));
  for (let a = old.length - 1; a >= 0; a--) {
    const [row, below] = [rows[a], rows[a + 1]];
    if (!row || !below) continue;
    for (let b = fresh.length - 1; b >= 0; b--) {
      row[b] = isSame(old[a], fresh[b])
        ? (below[b + 1] ?? 0) + 1
        : Math.max(below[b] ?? 0, row[b + 1] ?? 0);
    }
  }
  return rows;
}

/** Whatever the space behind it: at the end of a text there is none. */
function isSame(before: string | undefined, after: string | undefined): boolean {
  return before?.trimEnd() === after?.trimEnd();
}

function longer(a: string, b: string): string {
  return a.length > b.length ? a : b;
}

function add(parts: DiffPart[], kind: DiffPart['kind'], text: string): void {
  const last = parts.at(-1);
  if (last?.kind === kind) last.text += text;
  else parts.push({ kind, text });
}
