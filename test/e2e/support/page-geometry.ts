/** What eyes, fingers and small screens need of a page and axe does not see, one line for each fault. */
import type { Page } from '@playwright/test';

/** The page is too wide for the window: it would have to be scrolled sideways. */
export async function sidewaysFaults(page: Page): Promise<readonly string[]> {
  const { over, widest } = await page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    const over = scrollWidth - clientWidth;
    const beyond = [...document.querySelectorAll('body *')]
      .filter((element) => element.getBoundingClientRect().right > clientWidth + 0.5)
      .map((element) => element.outerHTML.slice(0, 120));
    return { over, widest: over > 0 ? beyond.slice(0, 3) : [] };
  });
  return over > 0 ? [`${over} px too wide: ${widest.join(' | ')}`] : [];
}

/** What an empty field shows of what belongs into it has to be read to its end: nobody can scroll there. */
export function placeholderFaults(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const pen = document.createElement('canvas').getContext('2d');
    return [...document.querySelectorAll<HTMLInputElement>('input[placeholder]')]
      .filter((input) => input.checkVisibility())
      .flatMap((input) => {
        const { font, paddingLeft, paddingRight } = getComputedStyle(input);
        if (!pen) return ['no text can be measured'];
        pen.font = font;
        const needed = pen.measureText(input.placeholder).width;
        const padding = Number.parseFloat(paddingLeft) + Number.parseFloat(paddingRight);
        const isCut = needed > input.clientWidth - padding + 0.5;
        return isCut ? [`the placeholder "${input.placeholder}" is cut off`] : [];
      });
  });
}

/** Words of charts that are too small to be read, or cut off at the edge. */
export function chartLabelFaults(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const pxMin = 11;
    return [...document.querySelectorAll<SVGTextElement>('svg[role="img"] text')].flatMap(
      (text) => {
        // A scaled viewBox shrinks what the style sheet says.
        const scale = text.getScreenCTM()?.a ?? 1;
        const px = Number.parseFloat(getComputedStyle(text).fontSize) * scale;
        const label = text.getBoundingClientRect();
        const chart = text.ownerSVGElement?.getBoundingClientRect() ?? label;
        const isCut = label.left < chart.left - 0.5 || label.right > chart.right + 0.5;
        return [
          ...(px < pxMin ? [`chart label "${text.textContent}" of ${px.toFixed(1)} px`] : []),
          ...(isCut ? [`chart label "${text.textContent}" is cut off`] : []),
        ];
      },
    );
  });
}

/** What is too small to be hit: 24 px for everything, 44 for what matters most under a finger. */
export function targetFaults(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const targets =
      'a[href], button, input:not([type=hidden]), select, textarea, summary, ' +
      '[role=tab], [role=radio], [role=option], [role=slider], [role=menuitem]';
    const isShown = (element: Element) =>
      element.checkVisibility({ visibilityProperty: true }) &&
      !element.matches('.sr-only, [aria-hidden=true], [aria-hidden=true] *');
    /** A link within a sentence has the height of its line. */
    const isInSentence = (element: Element) =>
      getComputedStyle(element).display === 'inline' &&
      [...(element.parentElement?.childNodes ?? [])].some(
        (node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim() !== '',
      );
    const sizeOf = (element: Element) => {
      const { width, height } = element.getBoundingClientRect();
      return { width, height };
    };
    /** What can be hit as well as the element itself. */
    const partsOf = (element: Element) => {
      const labels = element instanceof HTMLInputElement ? [...(element.labels ?? [])] : [];
      const row = element.closest('tr.cursor-pointer');
      const opensRow = row?.querySelector('a') === element;
      const { content, position, width, height } = getComputedStyle(element, '::after');
      const hasLayer = content !== 'none' && position === 'absolute';
      return [
        sizeOf(element),
        ...labels.map(sizeOf),
        ...(row && opensRow ? [sizeOf(row)] : []),
        ...(hasLayer
          ? [{ width: Number.parseFloat(width), height: Number.parseFloat(height) }]
          : []),
      ];
    };
    const isTouch = matchMedia('(pointer: coarse)').matches;
    const faults = [...document.querySelectorAll(targets)]
      .filter((element) => isShown(element) && !isInSentence(element))
      .map((element) => {
        const least = partsOf(element).map(({ width, height }) => Math.min(width, height));
        const isPrimary = element.matches('.bg-ink, .bg-bad');
        return { element, px: Math.max(...least), pxMin: isTouch && isPrimary ? 44 : 24 };
      })
      // Half a pixel is lost where browsers round.
      .filter(({ px, pxMin }) => px < pxMin - 0.5)
      .map(({ element, px, pxMin }) => {
        const name = element.getAttribute('aria-label') ?? element.textContent ?? '';
        const what = `${element.localName} "${name.slice(0, 30)}" ${element.className}`;
        return { kind: element.className, text: `${px.toFixed(0)} px, not ${pxMin}: ${what}` };
      });
    // One for all the rows of a table.
    return [...new Map(faults.map(({ kind, text }) => [kind, text])).values()];
  });
}

/** What moves although whoever is there asked for stillness. */
export function motionFaults(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const secondsMax = 0.01;
    const seconds = (list: string) =>
      Math.max(
        ...list
          .split(',')
          .map((each) => Number.parseFloat(each) * (each.trim().endsWith('ms') ? 0.001 : 1)),
      );
    const moving = [...document.querySelectorAll('*')]
      .filter((element) => {
        const style = getComputedStyle(element);
        return (
          seconds(style.transitionDuration) > secondsMax ||
          seconds(style.animationDuration) > secondsMax
        );
      })
      .map((element) => `moves: ${element.outerHTML.slice(0, 120)}`);
    const running = document
      .getAnimations()
      .filter(({ playState, effect }) => {
        const duration = Number(effect?.getComputedTiming().duration ?? 0);
        return playState === 'running' && duration > secondsMax * 1000;
      })
      .map((animation) => `runs: ${animation.constructor.name}`);
    return [...moving, ...running];
  });
}

/** Panels that stayed light where all is dark; pictures and primary buttons are meant to be. */
export function lightPanelFaults(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const areaMin = 5_000;
    const context = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
    if (!context) throw new Error('the browser cannot draw');
    const lightness = (color: string) => {
      context.clearRect(0, 0, 1, 1);
      context.fillStyle = color;
      context.fillRect(0, 0, 1, 1);
      const [red = 0, green = 0, blue = 0, alpha = 0] = context.getImageData(0, 0, 1, 1).data;
      return alpha < 128 ? 0 : (red + green + blue) / 3 / 255;
    };
    return [...document.querySelectorAll('html, body *')]
      .filter((element) => element.checkVisibility() && !element.matches('.bg-ink, .bg-ink *'))
      .filter((element) => {
        const { width, height } = element.getBoundingClientRect();
        const { backgroundColor } = getComputedStyle(element);
        return width * height > areaMin && lightness(backgroundColor) > 0.6;
      })
      .map((element) => `light in the dark: ${element.outerHTML.slice(0, 140)}`);
  });
}

/** Words that do not fit: cut off without dots, or hanging out of their box. */
export function clippedFaults(page: Page): Promise<readonly string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('body *')]
      .filter((element) => element.checkVisibility({ visibilityProperty: true }))
      .filter((element) => !element.matches('.sr-only, .sr-only *, input, textarea, svg *'))
      .filter((element) => [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE))
      .filter((element) => {
        const { overflowX, textOverflow, display } = getComputedStyle(element);
        const isScrolled = overflowX === 'auto' || overflowX === 'scroll';
        // What only screen readers get is a point.
        const isPoint = element.clientWidth <= 1;
        if (display === 'inline' || isPoint || isScrolled || textOverflow === 'ellipsis')
          return false;
        return element.scrollWidth > element.clientWidth + 1;
      })
      .map((element) => `does not fit: ${element.outerHTML.slice(0, 160)}`),
  );
}
