import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Files that take most of a minute and more, of which the last to start would run alone. Vitest remembers what
 * took long, but a fresh clone has no memory, and goes by size: these are small.
 */
const slowest = [
  'test/e2e/quality/every-page-desktop.e2e.test.ts',
  'test/e2e/quality/click-everything.e2e.test.ts',
  'test/e2e/quality/every-page-phone.e2e.test.ts',
  'test/e2e/playground/reload.e2e.test.ts',
  'test/e2e/playground/mask.e2e.test.ts',
  'test/cluster/deaths.db.test.ts',
  'test/api/uploads/200-bounded-memory.db.test.ts',
  'test/money/crash.db.test.ts',
  'test/money/storm.db.test.ts',
  'test/hostile/flood.test.ts',
];

/** Begins with the slowest files of each project. */
export class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { root } = this.ctx.config;
    const ranks = new Map(slowest.map((file, rank) => [join(root, file), rank]));
    for (const file of ranks.keys()) {
      if (!existsSync(file)) throw new Error(`there is no such slow test: ${file}`);
    }
    const rankOf = ({ moduleId }: TestSpecification) => ranks.get(moduleId) ?? slowest.length;
    const byProject = Map.groupBy(await super.sort(files), ({ project }) => project);
    return [...byProject.values()].flatMap((own) => own.sort((a, b) => rankOf(a) - rankOf(b)));
  }
}
