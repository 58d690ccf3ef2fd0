import type { CatalogCache } from '../../catalog/catalog-cache.ts';
import type { Db } from '../../db/db.ts';
import type { Clock } from '../../lib/clock.ts';
import type { SecretBox } from '../../lib/secret-box.ts';
import type { SettingsCache } from '../../settings/settings-cache.ts';
import type { AdapterPool } from '../../upstreams/adapter-pool.ts';
import type { AnswersUnderWay } from './runs/answers-under-way.ts';
import type { ImageRuns } from './runs/image-runs.ts';
import type { RunWatch } from './runs/run-watch.ts';
import type { SiblingRuns } from './siblings/sibling-runs.ts';

/** What an image request needs of the rest of the service until it has a run; see `RunServices` for what the run needs. */
export interface ImageServices {
  db: Db;
  clock: Clock;
  catalog: CatalogCache;
  settings: SettingsCache;
  adapters: AdapterPool;
  runs: ImageRuns;
  /** Those of the other processes of the service; null where there are none that can be reached. */
  siblings: SiblingRuns | null;
  /** What is kept of a request with an Idempotency-Key is marked with it. */
  secretBox: Pick<SecretBox, 'mark' | 'isMarkOf'>;
  answersUnderWay: AnswersUnderWay;
  watch: RunWatch;
  /** The running process, whose lease keeps its holds alive. */
  processId: string;
  limits: RunLimits;
}

export interface RunLimits {
  /** Requests under way in this process. */
  requestsMax: number;
  deadlineMs: number;
  streamDeadlineMs: number;
  /** Attempts per picture. */
  attemptsMax: number;
}
