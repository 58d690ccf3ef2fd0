/** What every page of the administration owes to everybody. */
import { expect } from '@playwright/test';
import { it } from 'vitest';
import { violationsOf } from './support/axe.ts';
import { describeConsole } from './support/console.ts';

describeConsole((console) => {
  const paths = [
    '/admin',
    '/admin/models',
    '/admin/models/gen-image-2',
    '/admin/upstreams',
    '/admin/upstreams/new',
    '/admin/upstreams/sandbox?tab=connection',
    '/admin/upstreams/sandbox?tab=models',
    '/admin/upstreams/sandbox?tab=test',
    '/admin/users',
    '/admin/users/new',
    '/admin/users/someone?tab=overview',
    '/admin/users/someone?tab=wallet',
    '/admin/users/someone?tab=keys',
    '/admin/users/someone?tab=usage',
    '/admin/users/someone?tab=sessions',
    '/admin/log',
    '/admin/audit',
    '/admin/settings/general',
    '/admin/settings/privacy',
    '/admin/settings/proxy',
  ];
  const looks = [
    { size: 'desktop', theme: 'light', language: 'en' },
    { size: 'phone', theme: 'dark', language: 'zh-CN' },
    { size: 'narrow', theme: 'light', language: 'en' },
  ] as const;

  it.each(paths)('B73 B76 finds nothing wrong with %s', async (path) => {
    const user = await console.addUser({ role: 'admin' });
    await console.app.post('/v1/images/generations', user, {
      model: 'gen-image-2',
      prompt: 'a boat',
    });
    for (const look of looks) {
      const { page, context } = await console.visit(path.replace('someone', user.id), {
        user,
        ...look,
      });
      await page.waitForLoadState('networkidle');
      expect([look, await violationsOf(page)]).toEqual([look, []]);
      const sideways = await page.evaluate(
        () => document.documentElement.scrollWidth - window.innerWidth,
      );
      expect([look, Math.max(0, sideways)]).toEqual([look, 0]);
      await context.close();
    }
  });
});
