/** A worker of which two are ready, and the second dies then; none that takes its place is ever ready. */
import cluster from 'node:cluster';
import { joinSupervisor } from '../../../server/cluster/supervised.ts';

// Processes are counted from 1, whichever worker they are.
const life = cluster.worker?.id ?? 0;
if (life > 2) process.exit(3);
const supervised = joinSupervisor<null, null>();
void supervised.stopAsked.then(() => process.exit());
void supervised.sayReady('http://127.0.0.1');
setInterval(() => {
  if (life === 2 && supervised.areReady()) process.exit(3);
}, 20);
