/** One colour of a chart. */
export interface Series {
  key: string;
  label: string;
  /** One for each bucket. */
  values: readonly number[];
  /** What was too small for a colour of its own. */
  isRest?: boolean;
}
