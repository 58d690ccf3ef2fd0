import type { Point } from './view.ts';

/**
 * The circle around the pointer that is as large as the brush. Moved without React: it follows the
 * hand.
 */
export class BrushRing {
  readonly #ring: HTMLElement | null;

  constructor(ring: HTMLElement | null) {
    this.#ring = ring;
  }

  show(brush: { at: Point; diameter: number } | null): void {
    if (!this.#ring) return;
    this.#ring.hidden = brush === null;
    if (!brush) return;
    const { at, diameter } = brush;
    const { style } = this.#ring;
    style.width = `${diameter}px`;
    style.height = `${diameter}px`;
    style.transform = `translate(${at.x - diameter / 2}px, ${at.y - diameter / 2}px)`;
  }
}
