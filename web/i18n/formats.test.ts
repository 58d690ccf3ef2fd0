import { afterEach, expect, it, vi } from 'vitest';
import { browserZone } from './formats.tsx';

afterEach(() => void vi.restoreAllMocks());

it.each([
  ['Asia/Shanghai', 'Asia/Shanghai'],
  // As Chromium says where the machine has no zone; it is none to format with.
  ['Etc/Unknown', 'UTC'],
  ['', 'UTC'],
])('of a browser in the zone "%s", times are those of %s', (timeZone, zone) => {
  const options = new Intl.DateTimeFormat().resolvedOptions();
  vi.spyOn(Intl.DateTimeFormat.prototype, 'resolvedOptions').mockReturnValue({
    ...options,
    timeZone,
  });
  expect(browserZone()).toBe(zone);
});
