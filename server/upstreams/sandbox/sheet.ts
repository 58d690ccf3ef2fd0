import { type Colour, hex } from './colour.ts';

/** One stop of a gradient: where (0 to 1), which colour, how opaque. */
type Stop = readonly [offset: number, colour: Colour, opacity?: number];

export type Point = readonly [x: number, y: number];

/** Collects the shapes of one SVG drawing, back to front. */
export class Sheet {
  readonly width: number;
  readonly height: number;
  private readonly definitions: string[] = [];
  private readonly shapes: string[] = [];

  constructor(width: number, height: number) {
    this.width = width;
    this.height = height;
  }

  add(shape: string): void {
    this.shapes.push(shape);
  }

  /** Draws what `draw` adds as one group. */
  group(attributes: string, draw: () => void): void {
    this.add(`<g ${attributes}>`);
    draw();
    this.add('</g>');
  }

  /** A paint from top to bottom of what it fills, or between two heights when they are given. */
  verticalGradient(stops: readonly Stop[], from?: number, to?: number): string {
    const span =
      from === undefined || to === undefined
        ? 'x1="0" y1="0" x2="0" y2="1"'
        : `gradientUnits="userSpaceOnUse" x1="0" y1="${num(from)}" x2="0" y2="${num(to)}"`;
    return this.define('linearGradient', span, stops.map(stopTag).join(''));
  }

  /** A paint from the middle of what it fills outwards. */
  radialGradient(stops: readonly Stop[]): string {
    return this.define('radialGradient', '', stops.map(stopTag).join(''));
  }

  toSvg(): string {
    const size = `width="${this.width}" height="${this.height}"`;
    const definitions = `<defs>${this.definitions.join('')}</defs>`;
    return `<svg xmlns="http://www.w3.org/2000/svg" ${size}>${definitions}${this.shapes.join('')}</svg>`;
  }

  private define(tag: string, attributes: string, content: string): string {
    const id = `p${this.definitions.length}`;
    this.definitions.push(`<${tag} id="${id}" ${attributes}>${content}</${tag}>`);
    return `url(#${id})`;
  }
}

/** A number as SVG text: two decimals are finer than any pixel. */
export function num(value: number): string {
  return String(Math.round(value * 100) / 100);
}

export function polyline(points: readonly Point[]): string {
  return points.map(([x, y], i) => `${i === 0 ? 'M' : 'L'}${num(x)} ${num(y)}`).join('');
}

export function polygon(points: readonly Point[]): string {
  return `${polyline(points)}Z`;
}

function stopTag([offset, colour, opacity = 1]: Stop): string {
  return `<stop offset="${num(offset)}" stop-color="${hex(colour)}" stop-opacity="${num(opacity)}"/>`;
}
