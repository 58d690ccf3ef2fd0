/** Reads just enough of PromQL to say which metrics an expression asks for, and by which labels. */

export interface ExpressionUse {
  /** Names as they are written, with `_bucket` and the like. */
  metrics: ReadonlySet<string>;
  /** In selectors, by metric. */
  selected: readonly { metric: string; label: string }[];
  /** In `by (…)` and the like. */
  grouped: ReadonlySet<string>;
}

const groupings = ['by', 'without', 'on', 'ignoring', 'group_left', 'group_right'];
const operators = ['or', 'and', 'unless', 'bool', 'offset'];
const tokenPattern =
  /"(?:[^"\\]|\\.)*"|\[[^\]]*\]|[a-zA-Z_:][\w:]*|\d[\w.]*|[{}()]|[=!]~|[=!<>]=|[-+*/%^,<>=]|\s+/gy;

export function readExpression(expression: string): ExpressionUse {
  const tokens = tokensOf(expression);
  const metrics = new Set<string>();
  const grouped = new Set<string>();
  const selected: { metric: string; label: string }[] = [];
  let metric = '';
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at] ?? '';
    if (token === '{') {
      const end = tokens.indexOf('}', at);
      // Each matcher is a label, an operator and a text.
      const labels = tokens.slice(at + 1, end).filter((each) => /^[a-z_]\w*$/i.test(each));
      selected.push(...labels.map((label) => ({ metric, label })));
      at = end;
    } else if (groupings.includes(token)) {
      const end = tokens.indexOf(')', at);
      for (const label of tokens.slice(at + 2, end)) if (label !== ',') grouped.add(label);
      at = end;
    } else if (/^[a-z_:]/i.test(token) && !operators.includes(token) && !isCall(tokens, at)) {
      metric = token;
      metrics.add(token);
    }
  }
  return { metrics, selected, grouped };
}

function tokensOf(expression: string): string[] {
  const tokens = expression.match(tokenPattern) ?? [];
  if (tokens.join('') !== expression) throw new Error(`not understood: ${expression}`);
  return tokens.filter((token) => token.trim() !== '');
}

/** A function, or an aggregation, whose grouping may come first. */
function isCall(tokens: readonly string[], at: number): boolean {
  const next = tokens[at + 1] ?? '';
  return next === '(' || groupings.includes(next);
}
