/** The token of an `Authorization: Bearer` header (RFC 6750 section 2.1), or undefined when there is none. */
export function findBearerToken(header: string | undefined): string | undefined {
  if (header === undefined || header.charCodeAt(6) !== 0x20) return undefined;
  const scheme = header.slice(0, 6);
  if (scheme !== 'Bearer' && scheme.toLowerCase() !== 'bearer') return undefined;
  const token = header.slice(7).trim();
  return token === '' ? undefined : token;
}
