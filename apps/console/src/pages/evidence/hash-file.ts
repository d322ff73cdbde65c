/** A larger file would not fit into the memory of a page; it is sent without a hash of the browser's. */
const HASHED_BYTES_MAX = 256 * 1024 * 1024;

/** The SHA-256 of a file in hex; undefined where it is too large, or the page came over an address without TLS. */
export async function hashFile(file: Blob): Promise<string | undefined> {
  // Only pages over TLS or from this machine have it, whatever the types say.
  const subtle = crypto.subtle as SubtleCrypto | undefined;
  if (subtle === undefined || file.size > HASHED_BYTES_MAX) return undefined;
  const digest = await subtle.digest('SHA-256', await file.arrayBuffer());
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
