import { readFileSync } from 'node:fs';

/** Files for connections that a URL with `rediss` encrypts. */
export type RedisTlsFiles = {
  /** Authorities that may have signed the server's certificate, in place of those of Node. */
  readonly ca?: string | undefined;
  /** The certificate that the service shows, and its key. */
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
};

/** What Node takes for a connection: the files as they are now. Throws what reading them throws. */
export function readRedisTls(files: RedisTlsFiles): { ca?: Buffer; cert?: Buffer; key?: Buffer } {
  return Object.fromEntries(
    Object.entries(files).flatMap(([name, file]) => (file === undefined ? [] : [[name, readFileSync(file)]])),
  );
}
