/** The candidate that needs the fewest edits to become `text`, if it is near enough to be meant. */
export function nearest(text: string, candidates: Iterable<string>): string | null {
  let best: string | null = null;
  // Beyond a third of the text, a resemblance is chance.
  let bestDistance = Math.max(2, Math.floor(text.length / 3)) + 1;
  for (const candidate of candidates) {
    const distance = editDistance(text, candidate);
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

/** Levenshtein's distance: insertions, deletions and substitutions, one each. */
function editDistance(a: string, b: string): number {
  let above = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const substitution = (above[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      row.push(Math.min(substitution, (above[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1));
    }
    above = row;
  }
  return above[b.length] ?? 0;
}
