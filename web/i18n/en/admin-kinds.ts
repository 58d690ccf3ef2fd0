/** What a setting of an upstream is called, by `kind.setting`; English comes from the service. */
export const adminKinds: Readonly<Record<string, KindWords>> = {};

export interface KindWords {
  title: string;
  description?: string;
}
