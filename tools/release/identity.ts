import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** What the product says of itself everywhere. The root `package.json` is the one place where it is written. */
export type Identity = {
  readonly version: string;
  /** Where its sources are, as an https address; undefined until the owner has filled it in. */
  readonly repository: string | undefined;
  readonly homepage: string | undefined;
  readonly keywords: readonly string[];
};

/** The form of a version; a language's registry may write the second half in its own way. */
export const VERSION = /^\d+\.\d+\.\d+(?:-(?:alpha|beta|rc)\.\d+)?$/;

const MANIFEST = fileURLToPath(new URL('../../package.json', import.meta.url));

/** Reads the identity from the root manifest. Throws for a version or an address of another form. */
export function readIdentity(text = readFileSync(MANIFEST, 'utf8')): Identity {
  const {
    version,
    repository,
    homepage,
    keywords = [],
  } = JSON.parse(text) as {
    readonly version: string;
    readonly repository?: { readonly url: string };
    readonly homepage?: string;
    readonly keywords?: readonly string[];
  };
  if (!VERSION.test(version))
    throw new Error(`package.json: version must be one such as 1.2.3 or 1.2.3-rc.1, and not ${version}`);
  const source = repository?.url.replace(/^git\+/, '').replace(/\.git$/, '');
  for (const address of [source, homepage])
    if (address !== undefined && !address.startsWith('https://'))
      throw new Error(`package.json: repository.url and homepage must be https addresses, and not ${address}`);
  return { version, repository: source, homepage: homepage ?? source, keywords };
}
