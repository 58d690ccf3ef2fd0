/**
 * What kinds of upstreams and their settings are called, by `kind` and `kind.setting`. In English the
 * service says it itself; what no language names here is shown as it says it.
 */
export const adminKinds: Readonly<Record<string, KindWords>> = {};

export interface KindWords {
  title: string;
  description?: string;
}
