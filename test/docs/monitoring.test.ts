/**
 * `docs/monitoring.md`, the dashboard and the alerts say what the code measures: tables are made from
 * it, and every expression asks for metrics and labels that there are.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { collectDefaultMetrics, Registry } from 'prom-client';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type MetricRow, metricTable } from '../../server/telemetry/metric-table.ts';
import { openMetrics } from '../../server/telemetry/metrics.ts';
import { idleState } from '../support/metrics-state.ts';
import { samplesIn } from '../support/metrics-text.ts';
import { readExpression } from '../support/promql.ts';
import { withTables } from './document-tables.ts';
import { code, markdownTable, plainText } from './markdown-table.ts';

const file = pathOf('docs/monitoring.md');
const document = readFileSync(file, 'utf8');
const rows: readonly MetricRow[] = Object.values(metricTable);
const processRows = readProcessRows();
const rules = readRules(readFileSync(pathOf('deploy/prometheus/alerts.yml'), 'utf8'));
const panels = readPanels(readFileSync(pathOf('deploy/grafana/tintype.json'), 'utf8'));
const targets = panels.flatMap(({ targets: each = [] }) => each);

describe('docs/monitoring.md', () => {
  it('has every metric with its type, labels and meaning', async () => {
    const tables = new Map([
      ['metrics', tableOf(rows)],
      ['process metrics', tableOf(processRows)],
    ]);
    const mend = 'docs/monitoring.md is out of date; write it anew: npm test -- test/docs --update';
    await expect(withTables(document, tables), mend).toMatchFileSnapshot(file);
  });

  it('says what to do about every alert, and of no other', () => {
    const [, section = ''] = document.split('\n## Alerts\n');
    const headings = [...section.matchAll(/^### (\w+)$/gm)].map(([, name]) => name);
    expect(headings).toEqual(rules.map(({ alert }) => alert));
    for (const { alert, runbook } of rules) {
      expect(runbook).toBe(`docs/monitoring.md#${alert.toLowerCase()}`);
    }
  });
});

it('a service has the metrics of the table, and those of its process', async () => {
  const metrics = await openMetrics();
  metrics.show(idleState);
  const names = (await metrics.json()).map(({ name }) => name);
  expect(names.sort()).toEqual([...rows, ...processRows].map(({ name }) => name).sort());
});

it.each(rows.map((row) => [row.name, row] as const))(
  '%s is named as is the custom',
  (name, row) => {
    expect(name).toMatch(/^tintype_[a-z_]+$/);
    expect(name.endsWith('_total')).toBe(row.type === 'counter');
    if (row.type === 'histogram') expect(name).toMatch(/_seconds$/);
    expect(row.help).toMatch(/^[A-Z].*\.$/);
  },
);

describe('the dashboard', () => {
  it.each(targets.map(({ expr, legendFormat }) => [expr, legendFormat]))(
    'asks for what there is: %s',
    (expression, legend) => {
      expect(problemsOf(expression, legend)).toEqual([]);
    },
  );

  it('shows every metric of ours', () => {
    const shown = new Set(targets.flatMap(({ expr }) => [...readExpression(expr).metrics]));
    const missing = rows.filter((row) => !namesOf(row).some((name) => shown.has(name)));
    expect(missing.map(({ name }) => name)).toEqual([]);
  });

  it('counts the upstreams that the alert names, also while a call tries them', () => {
    const ofAlert = 'tintype_upstream_breaker{job="tintype", state!="closed"}';
    expect(rules.find(({ alert }) => alert === 'TintypeUpstreamLeftAlone')?.expr).toContain(
      ofAlert,
    );
    const [panel] = panels.filter(({ title }) => title === 'Upstreams left alone');
    const asked = panel?.targets?.map(({ expr }) => expr.replace('$job', 'tintype'));
    expect(asked).toEqual([expect.stringContaining(ofAlert)]);
  });

  it('gives each panel a number, a title and a place of its own', () => {
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    for (const { title } of panels) expect(title).not.toBe('');
    const taken = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from(
        { length: w * h },
        (_, index) => `${x + (index % w)} ${y + Math.floor(index / w)}`,
      ),
    );
    expect(new Set(taken).size).toBe(taken.length);
    expect(Math.max(...panels.map(({ gridPos: { x, w } }) => x + w))).toBeLessThanOrEqual(24);
  });
});

describe('the alerts', () => {
  it.each(rules.map(({ alert, expr, summary }) => [alert, expr, summary]))(
    '%s asks for what there is',
    (_alert, expression, summary) => {
      const labels = [...summary.matchAll(/\$labels\.(\w+)/g)].map(([, label]) => `{{${label}}}`);
      expect(problemsOf(expression, labels.join(' '))).toEqual([]);
    },
  );

  it('that ask for a single count see also the first, with which most series begin', async () => {
    const metrics = await openMetrics();
    metrics.onSwept({ expired: 0, refunded: 0, stuck: [] });
    const { text } = await metrics.text();
    const begun = new Set(samplesIn(text).map(({ name }) => name));
    const asking = rules.filter(({ expr }) => /increase\(.*> 0/.test(expr));
    expect(asking.length).toBeGreaterThan(2);
    for (const { alert, expr } of asking) {
      const [metric = ''] = readExpression(expr).metrics;
      const seesFirst = begun.has(metric) || / unless last_over_time\(.* offset /.test(expr);
      expect(seesFirst, alert).toBe(true);
    }
  });

  it.each(['TintypeInternalErrors', 'TintypeUpstreamKeyRefused', 'TintypeChargesReturned'])(
    '%s sees also a count after a restart that is no more than the one before it',
    (name) => {
      const [rule] = rules.filter(({ alert }) => alert === name);
      const begunAnew =
        /\} and on \(job, instance, worker\) resets\(process_cpu_seconds_total\{job="tintype"\}\[\w+\]\) > 0\) > 0$/;
      expect(rule?.expr).toMatch(begunAnew);
    },
  );

  it('of an upstream left alone goes on while a call tries it, and ends when none does any more', () => {
    const [left = ''] = rules
      .filter(({ alert }) => alert === 'TintypeUpstreamLeftAlone')
      .map(({ expr }) => expr);
    const [begins = '', ends = ''] = left.split(' unless ');
    expect(begins).toContain('tintype_upstream_breaker{job="tintype", state!="closed"}');
    expect(ends).toContain('(increase(tintype_upstream_breaker_changes_total{job="tintype"}');
  });

  it.each([
    ['TintypeDown', 'or absent(up{job="tintype"})', 'where there is no target to ask'],
    ['TintypeRestarts', 'changes(process_start_time_seconds{', 'of one process'],
    [
      'TintypeRestarts',
      'resets(process_cpu_seconds_total{job="tintype", worker!=""}',
      'of workers',
    ],
    ['TintypeWebhooksRefused', 'route=~"/webhooks/.+", status!~"2.."}[3h])) > 2', 'more than one'],
    ['TintypeDiskFills', 'or predict_linear(tintype_disk_free_bytes{', 'before it is full'],
    [
      'TintypeDiskFills',
      '< 0 and last_over_time(tintype_disk_free_bytes{job="tintype"}[4h] offset 2h)',
      'not by what it saw for minutes',
    ],
  ])('%s asks by %s: %s', (name, part) => {
    expect(rules.find(({ alert }) => alert === name)?.expr).toContain(part);
  });

  it('are all read', () => {
    const text = readFileSync(pathOf('deploy/prometheus/alerts.yml'), 'utf8');
    expect(rules).toHaveLength(text.match(/- alert:/g)?.length ?? 0);
    expect(rules.length).toBeGreaterThan(10);
  });
});

describe('an expression is found out', () => {
  it.each([
    ['rate(tintype_nothing_total[5m])', 'there is no metric tintype_nothing_total'],
    ['sum(tintype_pictures)', 'there is no metric tintype_pictures'],
    ['tintype_admit_duration_seconds', 'there is no metric tintype_admit_duration_seconds'],
    ['tintype_pictures_total{colour="red"}', 'tintype_pictures_total has no label colour'],
    ['sum by (user) (tintype_pictures_total)', 'nothing has a label user'],
    ['sum by (le) (tintype_pictures_total)', 'nothing has a label le'],
    ['max by (worker) (tintype_ready)', 'nothing has a label worker'],
  ])('%s', (expression, problem) => {
    expect(problemsOf(expression, '')).toEqual([problem]);
  });

  it('by its legend', () => {
    expect(problemsOf('tintype_ready', '{{model}}')).toEqual(['nothing has a label model']);
  });

  it('unless there is nothing wrong with it', () => {
    const expression =
      'histogram_quantile(0.9, sum by (le, model) (rate(tintype_image_upstream_seconds_bucket{model!~"a|b", job="$job"}[5m]))) > 2 or vector(0)';
    expect(problemsOf(expression, '{{model}} of {{instance}}')).toEqual([]);
  });
});

/** What Prometheus itself adds to every metric. */
const targetLabels = ['job', 'instance'];

function problemsOf(expression: string, legend: string): string[] {
  const labelsOf = new Map<string, readonly string[]>([['up', targetLabels]]);
  for (const row of [...rows, ...processRows]) {
    for (const name of namesOf(row)) {
      const ends = name.endsWith('_bucket') ? ['le'] : [];
      const ofWorkers = row.type === 'gauge' ? [] : ['worker'];
      labelsOf.set(name, [...row.labels, ...ends, ...ofWorkers, ...targetLabels]);
    }
  }
  const { metrics, selected, grouped } = readExpression(expression);
  const known = new Set([...metrics].flatMap((metric) => labelsOf.get(metric) ?? []));
  const shown = [...legend.matchAll(/\{\{(\w+)\}\}/g)].map(([, label = '']) => label);
  return [
    ...[...metrics]
      .filter((metric) => !labelsOf.has(metric))
      .map((metric) => `there is no metric ${metric}`),
    ...selected
      .filter(({ metric, label }) => labelsOf.get(metric)?.includes(label) === false)
      .map(({ metric, label }) => `${metric} has no label ${label}`),
    ...[...new Set([...grouped, ...shown])]
      .filter((label) => metrics.size > 0 && !known.has(label))
      .map((label) => `nothing has a label ${label}`),
  ];
}

/** The names under which Prometheus keeps a metric. */
function namesOf({ name, type }: Pick<MetricRow, 'name' | 'type'>): string[] {
  return type === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name];
}

function tableOf(metrics: readonly Pick<MetricRow, 'name' | 'type' | 'labels' | 'help'>[]): string {
  return markdownTable({
    head: ['Metric', 'Type', 'Labels', 'Meaning'],
    rows: metrics.map(({ name, type, labels, help }) => [
      code(name),
      type,
      labels.map(code).join(', '),
      plainText(help),
    ]),
  });
}

/** What the library measures of the process. */
function readProcessRows(): readonly Pick<MetricRow, 'name' | 'type' | 'labels' | 'help'>[] {
  const register = new Registry();
  collectDefaultMetrics({ register });
  const schema = z.array(
    z.object({
      name: z.string(),
      type: z.enum(['counter', 'gauge', 'histogram']),
      labelNames: z.array(z.string()),
      help: z.string(),
    }),
  );
  const read = schema.parse(register.getMetricsAsArray());
  return read.map(({ labelNames, ...row }) => ({ ...row, labels: labelNames }));
}

interface Rule {
  alert: string;
  expr: string;
  summary: string;
  runbook: string;
}

/** The file keeps each of these on a line of its own, so that no YAML has to be understood. */
function readRules(text: string): readonly Rule[] {
  const [, ...blocks] = text.split('- alert: ');
  const valueIn = (block: string, name: string) =>
    new RegExp(`^ +${name}: '(.*)'$`, 'm').exec(block)?.[1] ?? '';
  return blocks.map((block) => ({
    alert: block.split('\n', 1)[0] ?? '',
    expr: valueIn(block, 'expr'),
    summary: valueIn(block, 'summary'),
    runbook: valueIn(block, 'runbook'),
  }));
}

function readPanels(text: string) {
  const place = z.object({ x: z.number(), y: z.number(), w: z.number(), h: z.number() });
  const target = z.object({ expr: z.string(), legendFormat: z.string() });
  const panel = z.object({
    id: z.number(),
    title: z.string(),
    gridPos: place,
    targets: z.array(target).optional(),
  });
  return z.object({ panels: z.array(panel) }).parse(JSON.parse(text)).panels;
}

function pathOf(path: string): string {
  return fileURLToPath(new URL(`../../${path}`, import.meta.url));
}
