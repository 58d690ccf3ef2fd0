/** Reads the text in which Prometheus gets its metrics. */

export interface MetricSample {
  name: string;
  labels: Readonly<Record<string, string>>;
  value: number;
}

export function samplesIn(text: string): MetricSample[] {
  return text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [, name, labels = '', value] = /^([a-z_A-Z0-9]+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
      if (name === undefined) throw new Error(`no sample: ${line}`);
      const pairs = [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)];
      return {
        name,
        labels: Object.fromEntries(pairs.map(([, label = '', text = '']) => [label, text])),
        value: Number(value),
      };
    });
}

/** The sum of a metric over all labels that are not given. */
export function sumOf(text: string, name: string, labels: MetricSample['labels'] = {}): number {
  return samplesIn(text)
    .filter((sample) => sample.name === name)
    .filter((sample) =>
      Object.entries(labels).every(([label, value]) => sample.labels[label] === value),
    )
    .reduce((sum, { value }) => sum + value, 0);
}
