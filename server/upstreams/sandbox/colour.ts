/** A colour in OKLab, where equal steps look equal and mixtures stay clean. */
export interface Colour {
  lightness: number;
  a: number;
  b: number;
}

/** `lightness` 0 to 1, `chroma` 0 to about 0.3, `hue` in degrees. */
export function oklch(lightness: number, chroma: number, hue: number): Colour {
  const angle = (hue * Math.PI) / 180;
  return { lightness, a: chroma * Math.cos(angle), b: chroma * Math.sin(angle) };
}

/** `share` 0 gives the first colour, 1 the second. */
export function mix(first: Colour, second: Colour, share: number): Colour {
  return {
    lightness: first.lightness + (second.lightness - first.lightness) * share,
    a: first.a + (second.a - first.a) * share,
    b: first.b + (second.b - first.b) * share,
  };
}

export function lighten(colour: Colour, by: number): Colour {
  return { ...colour, lightness: Math.min(1, Math.max(0, colour.lightness + by)) };
}

/** As `#rrggbb`. A colour that no screen can show loses chroma, not hue. */
export function hex(colour: Colour): string {
  let channels = linearRgb(colour);
  for (let chroma = 0.95; chroma > 0 && !channels.every(isShowable); chroma -= 0.05) {
    channels = linearRgb({ ...colour, a: colour.a * chroma, b: colour.b * chroma });
  }
  return `#${channels.map(hexByte).join('')}`;
}

function isShowable(channel: number): boolean {
  return channel >= -0.0005 && channel <= 1.0005;
}

function linearRgb({ lightness, a, b }: Colour): [number, number, number] {
  const long = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const medium = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const short = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short,
    -1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short,
    -0.0041960863 * long - 0.7034186147 * medium + 1.707614701 * short,
  ];
}

function hexByte(linear: number): string {
  const clamped = Math.min(1, Math.max(0, linear));
  const encoded = clamped <= 0.0031308 ? 12.92 * clamped : 1.055 * clamped ** (1 / 2.4) - 0.055;
  return Math.round(encoded * 255)
    .toString(16)
    .padStart(2, '0');
}
