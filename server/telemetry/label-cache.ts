import { namesMax } from './metric-table.ts';

type Three = readonly [string, string, string];

/** Keeps what belongs to each combination of labels, so that no request makes anything for them. */
export class LabelCache<T> {
  readonly #make: (labels: Three) => T;
  readonly #known = new Map<string, Map<string, Map<string, T>>>();

  constructor(make: (labels: Three) => T) {
    this.#make = make;
  }

  of(a = '', b = '', c = ''): T {
    const known = this.#known.get(a)?.get(b)?.get(c);
    return known ?? this.#add([a, b, c]);
  }

  #add(labels: Three): T {
    const [a, b, c] = labels;
    const made = this.#make(labels);
    const second = this.#known.get(a) ?? new Map<string, Map<string, T>>();
    const third = second.get(b) ?? new Map<string, T>();
    this.#known.set(a, second.set(b, third.set(c, made)));
    return made;
  }
}

/** What of a name goes into a label: itself, or `other` where there are too many already. */
export class LabelNames {
  readonly #known = new Set<string>();

  of(name: string | null): string {
    if (name === null) return 'other';
    if (this.#known.has(name)) return name;
    if (this.#known.size >= namesMax) return 'other';
    this.#known.add(name);
    return name;
  }
}
