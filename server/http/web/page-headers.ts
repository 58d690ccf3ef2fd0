/** What every page of the console is allowed to do, and is told to keep to itself. */
export const pageHeaders: Readonly<Record<string, string>> = {
  // Everything comes from this very service; nothing is inline, and nothing may frame it.
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "font-src 'self'",
    // Pictures that were made or chosen are blobs of the page.
    "img-src 'self' blob:",
    "connect-src 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "object-src 'none'",
  ].join('; '),
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy':
    'camera=(), geolocation=(), microphone=(), payment=(), usb=(), browsing-topics=()',
  'x-frame-options': 'DENY',
};

/** On every file of the console, its pages included. */
export const fileHeaders: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  vary: 'accept-encoding',
};

/** For two years, as browsers want it; only where the service knows that it is reached by https. */
export const onlySecurely = { 'strict-transport-security': 'max-age=63072000' } as const;
