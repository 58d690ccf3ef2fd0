/** `%XX` of letters, digits and `-._~`, which RFC 3986 calls unreserved: they mean the same either way. */
const encodedPlain = /%(?:2[de]|3\d|[46][1-9a-f]|[57][\da]|5f|7e)/gi;

/**
 * The address in the one form by which everybody knows it: the path and the query alone, with nothing
 * percent-encoded in the path that need not be. The router reads past such encoding, so whoever asks of an address
 * whether it belongs to the public API or the console's has to do so as well.
 */
export function plainAddress(url: string): string {
  return originForm(url).replace(/^[^?]*/, (path) =>
    path.replace(encodedPlain, decodeURIComponent),
  );
}

/** A proxy may send the whole address, `http://host/path`; only the path is ours to read. */
function originForm(url: string): string {
  return url.startsWith('/') ? url : url.replace(/^https?:\/\/[^/?#]*\/?/i, '/');
}
