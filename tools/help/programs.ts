/** How a program of the repository is run, and what it does. */
type Program = { readonly usage: string; readonly purpose: string };

/** By the file that is run. */
export const PROGRAMS: Readonly<Record<string, Program>> = {
  'e2e/previous-release/record.ts': {
    usage: 'npm run statements:record',
    purpose: 'Records the SQL that this release sends, for the test of the next one.',
  },
  'tools/release/main.ts': {
    usage: 'npm run release -- --dry-run [--base BASE.tar] [--sign KEYFILE] [--with FOLDER] | --set VERSION | --check',
    purpose: 'Makes a release into dist/release/ and tries it as its users would; docs/releasing.md.',
  },
  'tools/site/main.ts': {
    usage: 'npm run docs:site -- [--base /] [--version NAME] [--others NAME=ADDRESS,...]',
    purpose:
      'Builds the documentation into dist/site/, for /docs/ of the service or a static host; a link to nothing is an error.',
  },
  'tools/api/accept.ts': {
    usage: 'npm run api:accept',
    purpose: 'Lists what has changed in published shapes and accepts additions.',
  },
  'tools/api/record-examples.ts': {
    usage: 'npm run api:examples',
    purpose: 'Records the responses of the examples again.',
  },
  'tools/attack/main.ts': {
    usage: 'npm run attack -- [--only TEXT] [--write]',
    purpose: 'Attacks a service of its own and prints what was seen; --write puts it into docs/security/attacks.md.',
  },
  'tools/bench/evidence.ts': {
    usage: 'npm run bench -- evidence',
    purpose: 'Uploads and downloads 1 GiB and reports how much memory the service used.',
  },
  'tools/bench/growth/main.ts': {
    usage: 'npm run bench -- growth',
    purpose: 'Measures a log while it grows.',
  },
  'tools/bench/main.ts': {
    usage: 'npm run bench -- [--quick] [--only 1,3] [--json FILE]',
    purpose: 'Measures a service of its own and prints a table, each value with its reference.',
  },
  'tools/bench/peers.ts': {
    usage: 'npm run bench -- peers',
    purpose: 'Builds other logs and measures them beside the service. Needs Go.',
  },
  'tools/citus/main.ts': {
    usage: 'npm run suite -- citus [FILES]',
    purpose: 'Runs end-to-end tests on Citus, of which CITUS_URL names a coordinator.',
  },
  'tools/compose/main.ts': {
    usage: 'npm run compose:init',
    purpose: 'Makes the secrets of docker-compose.yml in deploy/secrets, once; files that are there stay.',
  },
  'tools/conformance/main.ts': {
    usage: 'npm run conformance -- v1',
    purpose: 'Writes the cases for verifiers again.',
  },
  'tools/conformance/whole.ts': {
    usage: 'npm run conformance -- v2',
    purpose: 'Writes version 2 of the cases for verifiers again, with new keys, and the corrections of version 1.',
  },
  'tools/console/main.ts': {
    usage: 'npm run console:build -- [--if-needed]',
    purpose: 'Builds the console; with --if-needed only if its sources have changed.',
  },
  'tools/debian/main.ts': {
    usage: 'npm run package:linux -- OUT',
    purpose: 'Makes the tarball and the Debian package of what the build has made, in a folder.',
  },
  'tools/docs/main.ts': {
    usage: 'npm run docs:generate',
    purpose: 'Writes the generated pages of docs/ again.',
  },
  'tools/fuzz/main.ts': {
    usage: 'npm run fuzz -- [--seconds 60] [--only notes,der] [--seed 7]',
    purpose: 'Looks for inputs that a parser does not stand, for an hour per parser, and keeps what it finds.',
  },
  'tools/image/main.ts': {
    usage: 'npm run image -- root OUT',
    purpose: 'Lays the files of the container image out in a folder, from what the build has made.',
  },
  'tools/licences/main.ts': {
    usage: 'npm run lint',
    purpose: 'Finds what contradicts that the whole repository is under one licence.',
  },
  'tools/oci/main.ts': {
    usage: 'npm run image -- OUT --base BASE.tar [--platform linux/amd64,linux/arm64]',
    purpose: 'Makes the images for each machine and the chart, as archives that a registry takes.',
  },
  'tools/oddities/main.ts': {
    usage: 'npm run suite -- oddities [TEXT]',
    purpose: 'Runs the tests of faults that were reported in public, all or those of a kind or source.',
  },
  'tools/packages/build/main.ts': {
    usage: 'npm run packages -- [--sign KEYFILE]',
    purpose: 'Builds what is published into dist/packages, and signs its manifest if a key is given.',
  },
  'tools/proxy/main.ts': {
    usage: 'npm run proxy:instances',
    purpose: 'Prints the configuration of a proxy before several processes of one role.',
  },
  'tools/reference/main.ts': {
    usage: 'npm run docs:site -- reference',
    purpose: 'Makes the reference pages of the packages in dist/reference.',
  },
  'tools/supply-chain/main.ts': {
    usage: 'npm run suite -- programs',
    purpose: 'Compares the programs of installed packages with the checksums that are kept.',
  },
  'tools/supply-chain/sbom.ts': {
    usage: 'npm run sbom',
    purpose: 'Writes the list of everything that the service is made of.',
  },
};
