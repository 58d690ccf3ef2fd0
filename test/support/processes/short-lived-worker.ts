/** A worker of which the first four are never ready, the next two die as soon as both are, and no further one is. */
import cluster from 'node:cluster';
import { joinSupervisor } from '../../../server/cluster/supervised.ts';

const life = cluster.worker?.id ?? 0;
if (life < 5 || life > 6) process.exit(3);
const supervised = joinSupervisor<null, null>();
void supervised.gone.then(() => process.exit());
void supervised.sayReady('http://127.0.0.1');
setInterval(() => {
  if (supervised.areReady()) process.exit(3);
}, 20);
