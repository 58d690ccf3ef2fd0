const urlCharactersMax = 8_192;

/** Reads an absolute http(s) URL without user info; `base` is the URL that redirected here. */
export function readUrl(text: string, base?: URL): URL {
  // Parsers disagree about white space, control characters and backslashes, and drop some of them.
  const tricky = text.length > urlCharactersMax || /[\s\\\p{Cc}]/u.test(text);
  const absolute = base !== undefined || /^https?:\/\//i.test(text);
  const url = tricky || !absolute ? null : URL.parse(text, base?.href);
  if (!url || !['http:', 'https:'].includes(url.protocol)) throw new Error('not an http(s) URL');
  if (url.username !== '' || url.password !== '') throw new Error('a URL with user info');
  return url;
}

/** Whether a redirect would lose the protection that the request had. */
export function leavesHttps(from: URL, to: URL): boolean {
  return from.protocol === 'https:' && to.protocol !== 'https:';
}
