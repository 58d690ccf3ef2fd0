/** What a page wrote and said over time, which a look at its end does not tell. */
import type { Page } from '@playwright/test';

/** Every text that the first element of the selector has from now on. */
export async function recordTexts(
  page: Page,
  selector: string,
): Promise<() => Promise<readonly string[]>> {
  await page.waitForSelector(selector, { state: 'attached' });
  const texts = await page.evaluateHandle((selector) => {
    const texts: string[] = [];
    const note = () => {
      const text = document.querySelector(selector)?.textContent ?? '';
      if (texts.at(-1) !== text) texts.push(text);
    };
    new MutationObserver(note).observe(document.body, {
      subtree: true,
      childList: true,
      characterData: true,
    });
    return texts;
  }, selector);
  return () => texts.jsonValue();
}

/** Every message of every live region from now on: what a screen reader says unasked. */
export async function recordMessages(page: Page): Promise<() => Promise<readonly string[]>> {
  const said = await page.evaluateHandle(() => {
    const regions = '[role=status], [role=alert], [aria-live=polite], [aria-live=assertive]';
    const said: string[] = [];
    const textsOf = () =>
      new Map([...document.querySelectorAll(regions)].map((each) => [each, each.textContent]));
    let before = textsOf();
    new MutationObserver(() => {
      const now = textsOf();
      for (const [region, text] of now) {
        if (text !== '' && before.get(region) !== text) said.push(text);
      }
      before = now;
    }).observe(document.body, { subtree: true, childList: true, characterData: true });
    return said;
  });
  return () => said.jsonValue();
}
