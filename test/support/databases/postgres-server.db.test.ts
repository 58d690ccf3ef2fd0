import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { expect, inject, it } from 'vitest';

const postgres = inject('postgres');

it('leaves neither a server nor its files behind when the test run dies', async (context) => {
  if (postgres.kind === 'skipped') context.skip(postgres.reason);
  const program = fileURLToPath(new URL('postgres-process.ts', import.meta.url));
  const child = spawn(process.execPath, [program], { stdio: ['pipe', 'pipe', 'inherit'] });
  const [line] = await once(createInterface({ input: child.stdout }), 'line');
  // Written by the program above.
  const { url } = JSON.parse(String(line)) as { url: string };
  const folder = await dataFolderOf(url);
  expect(existsSync(folder)).toBe(true);
  const exited = once(child, 'exit');
  // The end of its input is all that a process sees of the death of its parent.
  child.stdin.destroy();
  await exited;
  expect(existsSync(folder)).toBe(false);
  await expect(dataFolderOf(url)).rejects.toThrow('ECONNREFUSED');
});

async function dataFolderOf(url: string): Promise<string> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ data_directory: string }>('show data_directory');
  await client.end();
  return rows[0]?.data_directory ?? '';
}
