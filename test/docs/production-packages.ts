/** The packages that a production installation brings, as the lockfile has them. */
import { z } from 'zod';

export interface Package {
  /** `sharp`, `@img/colour`. */
  name: string;
  version: string;
  license: string;
  hasIntegrity: boolean;
  hasInstallScript: boolean;
  /** For one operating system or processor only; a machine installs one of several at most. */
  isPlatformBuild: boolean;
  isProduction: boolean;
}

const lockfileSchema = z.object({
  packages: z.record(
    z.string(),
    z.object({
      version: z.string().optional(),
      license: z.string().optional(),
      integrity: z.string().optional(),
      hasInstallScript: z.boolean().optional(),
      dev: z.boolean().optional(),
      devOptional: z.boolean().optional(),
      os: z.unknown().optional(),
      cpu: z.unknown().optional(),
    }),
  ),
});

const folder = 'node_modules/';

/** @param lockfile text of `package-lock.json` */
export function packagesOf(lockfile: string): readonly Package[] {
  const { packages } = lockfileSchema.parse(JSON.parse(lockfile));
  return Object.entries(packages)
    .filter(([path]) => path !== '')
    .map(([path, entry]) => ({
      name: path.slice(path.lastIndexOf(folder) + folder.length),
      version: entry.version ?? '',
      license: entry.license ?? '',
      hasIntegrity: entry.integrity !== undefined,
      hasInstallScript: entry.hasInstallScript === true,
      isPlatformBuild: entry.os !== undefined || entry.cpu !== undefined,
      isProduction: entry.dev !== true && entry.devOptional !== true,
    }));
}

/** Each package once, whatever it is installed for. */
export function productionPackages(packages: readonly Package[]): readonly Package[] {
  const seen = new Map<string, Package>();
  for (const entry of packages) {
    if (entry.isProduction && !entry.isPlatformBuild) {
      seen.set(`${entry.name}@${entry.version}`, entry);
    }
  }
  return [...seen.values()];
}
