/** Where signing in leads when nothing else was asked for. */
const homePath = '/';

const charactersMax = 2_000;

/**
 * Where to go after signing in: a page of this service, whatever was asked for. Browsers read
 * `//host`, `/\host` and blanks in odd places as other sites; what could be one becomes home.
 */
export function safeNextPath(wanted: string | null | undefined): string {
  if (!wanted || wanted.length > charactersMax) return homePath;
  if (!/^\/(?![/\\])[\x21-\x7e]*$/.test(wanted) || wanted.includes('\\')) return homePath;
  const base = 'http://service.invalid';
  const url = URL.parse(wanted, base);
  if (!url || url.origin !== base || url.pathname.startsWith('//')) return homePath;
  // A page, not the API.
  if (/^\/(?:api|v1)(?:\/|$)/.test(url.pathname)) return homePath;
  return `${url.pathname}${url.search}${url.hash}`;
}
