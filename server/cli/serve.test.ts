import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeScratchFolder } from '../../test/support/scratch.ts';

const program = fileURLToPath(new URL('../../bin/tintype.js', import.meta.url));

describe('where the port is taken', () => {
  const other = createServer();
  const folder = makeScratchFolder('taken-port');
  let port = 0;

  beforeAll(async () => {
    await once(other.listen(0, '127.0.0.1'), 'listening');
    const address = other.address();
    port = typeof address === 'object' && address ? address.port : 0;
  });

  afterAll(() => {
    other.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it.each(['serve', 'demo'])('%s ends at once and says what to do', async (command) => {
    const child = spawn(process.execPath, [program, command, '--port', String(port)], {
      env: { PATH: process.env['PATH'], TINTYPE_DATA_DIR: folder },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const [said, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
    expect(code).toBe(1);
    expect(said).toMatch(
      new RegExp(`^error: port ${port} on 127\\.0\\.0\\.1 is in use; stop what uses it, or`, 'm'),
    );
    expect(said).not.toContain('"level"');
  });
});
