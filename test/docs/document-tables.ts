/**
 * Tables of a document: made from code between `<!-- generated name: begin -->` and its end, written by
 * hand between `<!-- name: begin -->` and its end.
 */

const generated = /(<!-- generated ([\w -]+): begin -->\n).*?(<!-- generated \2: end -->)/gs;

/** The document with each generated table as given. Throws where markers or a table are missing. */
export function withTables(document: string, tables: ReadonlyMap<string, string>): string {
  const unseen = new Set(tables.keys());
  const filled = document.replace(generated, (_all, begin: string, name: string, end: string) => {
    const table = tables.get(name);
    if (table === undefined) {
      throw new Error(`the document has markers for ${name}, of which there is no table`);
    }
    unseen.delete(name);
    return `${begin}${table}${end}`;
  });
  if (unseen.size === 0) return filled;
  const wanted = [...unseen].map(
    (name) => `<!-- generated ${name}: begin -->\n<!-- generated ${name}: end -->`,
  );
  throw new Error(`write into the document where its tables go:\n${wanted.join('\n')}`);
}

/** The cells of a table that was written by hand, without its head. */
export function cellsOf(document: string, name: string): string[][] {
  const [, table = ''] = document.split(new RegExp(`<!-- ${name}: (?:begin|end) -->\\n`));
  const [, , ...rows] = table.trim().split('\n');
  return rows.map((row) =>
    row
      .split(/(?<!\\)\|/)
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}
