/** Which entry of an upstream's list most likely serves one of our models. */
interface Listing {
  kind: string;
  model_list: readonly { upstream_model: string; serves: readonly { model: string }[] }[];
}

/** The sandbox's own names for what it draws in the manner of ours. */
const sandboxNames: Readonly<Record<string, string>> = {
  'gen-image-2.5-sunburst': 'sandbox-studio',
  'gen-image-2.5-flare': 'sandbox-quick',
  'gen-image-2': 'sandbox-classic',
};

/** What is selected already, else the same name, else the sandbox's; empty when nothing suggests itself. */
export function guessUpstreamModel(model: string, { kind, model_list: list }: Listing): string {
  const selected = list.find(({ serves }) => serves.some((each) => each.model === model));
  const names = list.map(({ upstream_model: name }) => name);
  const wanted = kind === 'sandbox' ? (sandboxNames[model] ?? model) : model;
  return selected?.upstream_model ?? names.find((name) => name === wanted) ?? '';
}
