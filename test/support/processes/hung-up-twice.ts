/**
 * A program of its own that is told twice that its terminal is closed, the second time in the moment in which the
 * first was heard; says whether it stopped in good order.
 */
import { stopAtSignal } from '../../../server/cli/serve/run-app.ts';

// Node has let go of the signal by then, where nobody listens to it any more.
process.on('removeListener', (event) => {
  if (event === 'SIGHUP') process.kill(process.pid, 'SIGHUP');
});
const stopping = stopAtSignal({
  stop: async () => {
    process.stdout.write('stopped');
  },
  endAtOnce: () => {},
});
process.kill(process.pid, 'SIGHUP');
// Only what is still to be done keeps it alive, and to wait for a signal is nothing.
const alive = setInterval(() => {}, 60_000);
await stopping;
clearInterval(alive);
process.exit();
