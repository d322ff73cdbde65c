import { readFileSync } from 'node:fs';
import { parseBase64 } from '@answer-evidence/encoding';
import { verifySignature } from '@answer-evidence/node-crypto';
import { parseLogKeys, readResponse, RekorError, verifyEntry } from '@answer-evidence/rekor';
import { assertSame, readEach, type Target, textOf } from '../target.ts';

const CORPUS = new URL('../corpus/logged-entries/', import.meta.url);
const ENTRY = new Uint8Array(readFileSync(new URL('entry', CORPUS)));
const KEYS = readFileSync(new URL('keys', CORPUS), 'utf8');
const DIGEST = findDigest();
const VERIFIED = verifyEntry(ENTRY, DIGEST, KEYS, verifySignature);

/** What the entry of the corpus is over. */
function findDigest(): Uint8Array {
  const { canonicalizedBody } = JSON.parse(new TextDecoder().decode(ENTRY)) as { readonly canonicalizedBody: string };
  const { spec } = JSON.parse(new TextDecoder().decode(parseBase64(canonicalizedBody))) as {
    readonly spec: { readonly hashedRekordV002: { readonly data: { readonly digest: string } } };
  };
  return parseBase64(spec.hashedRekordV002.data.digest);
}

/** What a public log responds, what is kept of it, and the keys that are pinned. */
export const LOG_TARGETS: readonly Target[] = [
  {
    name: 'logged-entries',
    words: [
      '"logIndex":"',
      '"hashes":[',
      '"treeSize":"',
      '"tlogs":[',
      '"keyDetails":"PKIX_ED25519"',
      '"baseUrl":"https://',
      '"hashedrekord"',
      '\\n\\n',
      '\\u2014 ',
      '9007199254740992',
      '=',
    ],
    async read(input) {
      const text = textOf(input);
      const kept = () => {
        const once = readResponse(input);
        assertSame('what was kept is kept in another form', readResponse(once), once);
      };
      readEach([kept, () => void parseLogKeys(text)], [RekorError]);
      const verified = await verifyEntry(input, DIGEST, KEYS, verifySignature);
      assertSame('an altered entry is in another place', verified, await VERIFIED);
    },
    refusals: [RekorError],
  },
];
