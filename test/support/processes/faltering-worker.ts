/**
 * A worker of which two are ready, and the second dies then; none that takes its place is ever ready, and every other one
 * of them says why.
 */
import cluster from 'node:cluster';
import { joinSupervisor } from '../../../server/cluster/supervised.ts';

// Processes are counted from 1, whichever worker they are.
const life = cluster.worker?.id ?? 0;
const supervised = joinSupervisor<null, null>();
if (life > 2) {
  if (life % 2 === 0) await supervised.sayFailed({ exitCode: 3, messages: ['cannot start'] });
  process.exit(3);
}
void supervised.stopAsked.then(() => process.exit());
void supervised.sayReady('http://127.0.0.1');
setInterval(() => {
  if (life === 2 && supervised.areReady()) process.exit(3);
}, 20);
