import { formatFingerprint } from '@answer-evidence/note';

/** What a folder with a log says of itself to anyone who finds it. */
export function formatReadme(origin: string, keys: readonly string[]): string {
  const rows = keys.map((vkey, n) => `- log-${n + 1}.vkey, ${formatFingerprint(vkey)}\n`);
  return `# The log ${origin}

This folder is a copy of a log of Answer Evidence, up to its file \`checkpoint\`. It has the form of
[C2SP tlog-tiles](https://c2sp.org/tlog-tiles), and any web server can serve it. It needs no operator: what it proves,
it proves by the signatures in \`checkpoint\`.

- \`checkpoint\`: the signed root of the tree, with the cosignatures of witnesses. It is written last.
- \`tile/entries/\`: the entries. They have hashes, times and ids, and no text of a question or an answer.
- \`tile/0/\` and above: the hashes of the tree.
- \`trust.json\`: the keys, witnesses and anchors that the maker of the copy has pinned.
- the keys of the log, each with its fingerprint:

${rows.join('')}
Compare the fingerprints with a source other than this folder: anyone who can write here can exchange the keys too.
Then:

    answer-evidence verify . --trust trust.json
    answer-evidence verify bundle.json --trust trust.json --tlog .
    answer-evidence monitor https://where.this.is.served/ --trust trust.json --state state.json --once

Other programs read it as well, such as \`fsck\` of https://github.com/transparency-dev/tessera.
`;
}
