import { readCertificate } from './certificate.ts';
import { contextConstructed, contextPrimitive, type DerNode, parseDer, TAG } from './der.ts';
import { readToken } from './response.ts';
import { readSignedData } from './signed-data.ts';

/** The token in a TimeStampResp, a ContentInfo. Throws `TimestampError`. */
export function extractToken(responseDer: Uint8Array): Uint8Array {
  return readToken(responseDer).raw;
}

/**
 * The addresses over HTTP of revocation lists (RFC 5280 section 4.2.1.13) that the certificates in a token name, in
 * their order and each once. They are the authority's word. Throws `TimestampError`.
 */
export function readListAddresses(responseDer: Uint8Array): readonly string[] {
  const certificates = readSignedData(readToken(responseDer)).certificates.map(readCertificate);
  const found = certificates.flatMap(({ extensions: { distributionPoints: points } }) =>
    points === undefined ? [] : readPoints(parseDer(points)),
  );
  return [...new Set(found)];
}

/** Full names of distribution points, of which each may have several. */
function readPoints(list: DerNode): readonly string[] {
  const [POINT, NAME, URI] = [contextConstructed(0), contextConstructed(0), contextPrimitive(6)];
  if (list.tag !== TAG.sequence) return [];
  return list.children
    .flatMap(({ children }) => children.filter(({ tag }) => tag === POINT))
    .flatMap(({ children }) => children.filter(({ tag }) => tag === NAME))
    .flatMap(({ children }) => children.filter(({ tag }) => tag === URI))
    .map(({ content }) => new TextDecoder('latin1').decode(content))
    .filter((address) => /^https?:\/\//i.test(address));
}
