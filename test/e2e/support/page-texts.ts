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

/** What stands beside each other on one line, of whatever elements it is made. */
export function linesOf(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const found = new Set<string>();
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const block = blockOf(node.parentElement);
      if (!block?.checkVisibility() || block.closest('code, pre, svg')) continue;
      for (const line of (block.innerText ?? '').split(/[\n\t]/)) found.add(line.trim());
    }
    found.delete('');
    return [...found];

    function blockOf(element: HTMLElement | null): HTMLElement | null {
      if (!element || getComputedStyle(element).display !== 'inline') return element;
      return blockOf(element.parentElement);
    }
  });
}
