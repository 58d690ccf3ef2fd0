const requestIdHeaders = [
  'x-request-id',
  'request-id',
  'apim-request-id',
  'x-amzn-requestid',
  'x-goog-request-id',
  'x-fal-request-id',
  'x-oneapi-request-id',
  'x-tt-logid',
  'x-siliconcloud-trace-id',
];

/** The upstream's own identifier of the request, for its support. */
export function requestIdOf(headers: Readonly<Record<string, string>>): string | null {
  for (const name of requestIdHeaders) {
    const id = headers[name];
    if (id !== undefined && /^[\x21-\x7e]{1,200}$/.test(id)) return id;
  }
  return null;
}
