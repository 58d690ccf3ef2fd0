/**
 * What the service itself says of a request that it refused, and of what it did with a wallet: by what it says in
 * English, with `{name}` for what differs. In English it says that itself; what no language names here is shown as the
 * service says it.
 */
export const service: Readonly<Record<string, string>> = {};
