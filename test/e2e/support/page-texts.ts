/** Everything on a page that somebody reads or hears, but for what is never translated. */
import type { Page } from '@playwright/test';

export function textsOf(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const isNotWords = '[translate=no], code, pre, kbd, script, style, noscript';
    const attributes = [
      'aria-label',
      'aria-description',
      'aria-roledescription',
      'aria-valuetext',
      'placeholder',
      'title',
      'alt',
    ];
    const found = new Set<string>([document.title]);
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_ALL);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const element = node instanceof Element ? node : node.parentElement;
      if (!element || element.closest(isNotWords)) continue;
      if (node instanceof Element) {
        for (const name of attributes) found.add(node.getAttribute(name)?.trim() ?? '');
      } else if (node.nodeType === Node.TEXT_NODE) {
        found.add(node.textContent?.trim() ?? '');
      }
    }
    found.delete('');
    return [...found];
  });
}
