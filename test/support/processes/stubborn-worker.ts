/** A worker that is ready, and does not end when it is told to, but only with its supervisor. */
import { joinSupervisor } from '../../../server/cluster/supervised.ts';

const supervised = joinSupervisor<null, null>();
void supervised.gone.then(() => process.exit());
void supervised.sayReady('http://127.0.0.1');
