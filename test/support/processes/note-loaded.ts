/** Preloaded into a process: writes the address of each module that it loads into a file. */
import { appendFileSync } from 'node:fs';
import { registerHooks } from 'node:module';

const file = process.env['TINTYPE_TEST_LOADED'];
if (file !== undefined) {
  registerHooks({
    load: (url, context, next) => {
      appendFileSync(file, `${url}\n`);
      return next(url, context);
    },
  });
}
