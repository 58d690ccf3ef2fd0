import { expect, it, vi } from 'vitest';
import { isAlive } from './keep-lease.ts';

it.each([
  ['is alive', 'EPERM', true],
  ['is gone', 'ESRCH', false],
])('a process %s of which the system says %s', (_what, code, expected) => {
  const asked = vi.spyOn(process, 'kill').mockImplementation(() => {
    throw Object.assign(new Error(code), { code });
  });
  expect(isAlive({ id: 'proc_other', host: '', pid: 1, startedAt: 0 })).toBe(expected);
  asked.mockRestore();
});
