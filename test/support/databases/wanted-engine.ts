import type { EngineName } from '../../../server/db/engine-name.ts';

/** The one engine that `TINTYPE_TEST_ENGINES` asks for; null for both. A wrong name would test what nobody asked for. */
export function wantedEngine(
  variables: Readonly<Record<string, string | undefined>> = process.env,
): EngineName | null {
  const wanted = variables['TINTYPE_TEST_ENGINES'] ?? '';
  if (wanted === 'sqlite' || wanted === 'postgres') return wanted;
  if (wanted === '') return null;
  throw new Error(`TINTYPE_TEST_ENGINES must be sqlite or postgres, not ${wanted}`);
}
