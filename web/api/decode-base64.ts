/** The bytes of a base64 text: by the browser's own decoder where it has one. */
export function decodeBase64(text: string): Uint8Array<ArrayBuffer> {
  if (typeof Uint8Array.fromBase64 === 'function') return Uint8Array.fromBase64(text);
  const characters = atob(text);
  const bytes = new Uint8Array(characters.length);
  for (let at = 0; at < characters.length; at++) bytes[at] = characters.charCodeAt(at);
  return bytes;
}
