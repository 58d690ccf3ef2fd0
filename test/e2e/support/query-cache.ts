import type { Page } from '@playwright/test';

/** Everything that the console keeps of the service's answers, as text. */
export function cachedAnswers(page: Page): Promise<string> {
  return page.evaluate(() => {
    interface Fiber {
      memoizedProps: { client?: { getQueryCache?(): { getAll(): { state: object }[] } } } | null;
      child: Fiber | null;
      sibling: Fiber | null;
    }
    const root = document.querySelector('#root');
    const name = Object.keys(root ?? {}).find((key) => key.startsWith('__reactContainer$'));
    if (!root || name === undefined) throw new Error('no pages of React here');
    // React hangs its tree on the element that it draws into.
    const waiting: (Fiber | null)[] = [(root as unknown as Record<string, Fiber>)[name] ?? null];
    while (waiting.length > 0) {
      const fiber = waiting.pop();
      const cache = fiber?.memoizedProps?.client?.getQueryCache?.();
      if (cache) return JSON.stringify(cache.getAll());
      if (fiber) waiting.push(fiber.sibling, fiber.child);
    }
    throw new Error('no query client in the page');
  });
}
