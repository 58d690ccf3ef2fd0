import type { ConsoleFile } from './console-files.ts';

/** The smallest form of a file that the client takes. */
export function encodingFor(
  acceptEncoding: string | string[] | undefined,
  file: Pick<ConsoleFile, 'plain' | 'brotli' | 'gzip'>,
): { name: 'br' | 'gzip' | null; bytes: Buffer } {
  const accepted = readAccepted(String(acceptEncoding ?? ''));
  if (file.brotli && accepted('br')) return { name: 'br', bytes: file.brotli };
  if (file.gzip && accepted('gzip')) return { name: 'gzip', bytes: file.gzip };
  return { name: null, bytes: file.plain };
}

function readAccepted(header: string): (name: string) => boolean {
  const weights = new Map(
    header.split(',').map((part) => {
      const [name = '', ...parameters] = part.split(';').map((each) => each.trim().toLowerCase());
      const weight = parameters.find((each) => each.startsWith('q='))?.slice(2);
      return [name, weight === undefined ? 1 : Number(weight)] as const;
    }),
  );
  return (name) => (weights.get(name) ?? weights.get('*') ?? 0) > 0;
}
