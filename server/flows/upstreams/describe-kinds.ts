import { z } from 'zod';
import type { AdapterKind, Need, UpstreamPreset } from '../../upstreams/adapter-kind.ts';

/** A protocol that upstreams may speak, as a form for one is drawn from it. */
export interface KindDescription {
  kind: string;
  title: string;
  description: string;
  baseUrl: Need;
  credential: Need;
  /** What is to be entered as the credential. */
  credentialForm: string;
  /** JSON Schema of its settings, with titles, descriptions and defaults. */
  settings: Readonly<Record<string, unknown>>;
  presets: readonly UpstreamPreset[];
}

export function describeKinds(kinds: ReadonlyMap<string, AdapterKind>): readonly KindDescription[] {
  return [...kinds.values()].map((kind) => ({
    kind: kind.kind,
    title: kind.title,
    description: kind.description,
    baseUrl: kind.baseUrl,
    credential: kind.credential,
    credentialForm: kind.credentialForm,
    settings: settingsSchemaOf(kind),
    presets: kind.presets,
  }));
}

/** The settings of a kind as JSON Schema. */
export function settingsSchemaOf({ settings }: Pick<AdapterKind, 'settings'>) {
  return z.toJSONSchema(settings, { io: 'input', unrepresentable: 'any' });
}
