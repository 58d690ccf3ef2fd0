/** Cells are Markdown already: made by {@link code} and {@link plainText}, or plain words. */
export function markdownTable({
  head,
  rows,
}: {
  head: readonly string[];
  rows: readonly (readonly string[])[];
}): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const rule = `|${head.map(() => '---').join('|')}|`;
  return `${[line(head), rule, ...rows.map(line)].join('\n')}\n`;
}

export function code(text: string | number): string {
  return `\`${text}\``.replaceAll('|', '\\|');
}

/** A text in which only backticks mean anything to Markdown. */
export function plainText(text: string): string {
  return text
    .split('`')
    .map((part, index) => (index % 2 === 0 ? part.replaceAll(/[<*[]|__/g, escaped) : part))
    .join('`')
    .replaceAll('|', '\\|');
}

function escaped(marks: string): string {
  return [...marks].map((mark) => `\\${mark}`).join('');
}
