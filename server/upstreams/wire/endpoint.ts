/** The addresses of a service, from the one that was configured. */

/** `path` below the base URL: `endpoint('http://host/v1', '/models')`; a query may follow it. */
export function endpoint(baseUrl: string, path: string): URL {
  return new URL(`${baseUrl.replace(/\/+$/, '')}/${path.replace(/^\/+/, '')}`);
}

export function originOf(baseUrl: string): string {
  return new URL(baseUrl).origin;
}
