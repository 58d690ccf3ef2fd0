/** The part of `npm run build` that is about the service. */
import { bringProgramUpToDate } from './build-program.ts';

await bringProgramUpToDate();
process.stdout.write('The program is built.\n');
