/** Asks the services of its arguments while this process may open no more files, and writes what came of it. */
import { closeSync, openSync } from 'node:fs';
import { openGuardedHttp } from '../../../server/lib/outgoing/guarded-http.ts';
import { OutgoingError } from '../../../server/lib/outgoing/outgoing-error.ts';

const [, , ...urls] = process.argv.map(String);

function takeAllFiles(): readonly number[] {
  const taken: number[] = [];
  for (;;) {
    try {
      taken.push(openSync('/dev/null', 'r'));
    } catch {
      return taken;
    }
  }
}

async function ask(text: string): Promise<{ message: string; isOurs: boolean }> {
  const url = new URL(text);
  const limits = { firstByteMs: 10_000, idleMs: 10_000 };
  const http = openGuardedHttp({ origins: [url.origin], proxy: null, ...limits });
  try {
    await http.send({ method: 'GET', url }, AbortSignal.timeout(10_000));
    return { message: 'answered', isOurs: false };
  } catch (error) {
    if (!(error instanceof OutgoingError)) throw error;
    return { message: error.message, isOurs: error.isOurs };
  }
}

const taken = takeAllFiles();
const told = [];
for (const url of urls) told.push(await ask(url));
for (const file of taken) closeSync(file);
process.stdout.write(JSON.stringify(told));
