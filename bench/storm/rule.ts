import type { Books } from './books.ts';

/** One promise of the service, checked against the books of a storm. */
export interface Rule {
  name: string;
  check(books: Books): Verdict;
}

export interface Verdict {
  /** How many things the rule looked at; a rule that looked at nothing proved nothing. */
  checked: number;
  violations: readonly Offence[];
  /** What is known and documented: shown, not held against the service. */
  exceptions?: readonly Offence[];
  exceptionName?: string;
}

export interface Offence {
  /** The trace ID, or what else it is about. */
  subject: string;
  detail: string;
}
