/** Host and port of a URL as the URL parser writes them, joined by a colon; the port `*` is any. */
export type Target = string;

/** The targets that the operator lets be called whatever their address. */
export type AllowList = ReadonlySet<Target>;

/**
 * Reads `host:port,…` or `host:*,…`: names, IPv4, IPv6 in brackets; the empty text lists nothing. Throws with the
 * expected form.
 */
export function parseAllowList(text: string): AllowList {
  const entries = text.split(',').map((entry) => entry.trim());
  return new Set(entries.length === 1 && entries[0] === '' ? [] : entries.map(parseEntry));
}

function parseEntry(entry: string): Target {
  const [, host = '', port = ''] = /^([a-z0-9._-]+|\[[0-9a-f:.]+\]):([1-9]\d{0,4}|\*)$/.exec(entry) ?? [];
  // What the URL parser would write differently, no URL will ever be compared as.
  if (!URL.canParse(`http://${host}`) || new URL(`http://${host}`).hostname !== host || Number(port) > 65_535) {
    throw new Error(
      'must be host:port entries separated by commas, such as witness.internal:8443,[fd00::1]:8080; the port * is any',
    );
  }
  return `${host}:${port}`;
}
