import { generateKeyPairSync, sign } from 'node:crypto';
import { formatEntry, hashCoreText } from '@answer-evidence/commitments';
import type { EntryType, JsonValue, TrustFile } from '@answer-evidence/contracts';
import { sha256 } from '@answer-evidence/digest';
import { canonicalize, concatBytes, formatHex, formatTimestamp, utf8 } from '@answer-evidence/encoding';
import { appendLeaves, leafHash } from '@answer-evidence/merkle';
import { createVkey, ED25519, formatCheckpoint, formatNote, formatTlogProof, formatVkey } from '@answer-evidence/note';
import { createSignedBundle } from './signed-bundle.ts';

/** A pack of two records, the log that has its entry `export_made`, and that entry as the service responds with it. */
type SignedPack = {
  readonly page: string;
  readonly trust: TrustFile;
  readonly entry: {
    readonly id: string;
    readonly core: { readonly content_hash: string };
    readonly receipt: string;
    readonly ledger: { readonly entry: string };
  };
  /** Files of the log below a folder; tiles are in hex. */
  readonly log: (folder: string) => Readonly<Record<string, string>>;
};

const ORIGIN = 'log.example/demo/00000000';
const MADE_AT = 1_763_629_260_000_000;
const idOf = (n: number) => `0199f3c2-0000-7000-8000-00000000000${n}`;

/** A fresh log of four leaves: its genesis, two records, and the pack of these. */
export function createSignedPack(): SignedPack {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const raw = new Uint8Array(publicKey.export({ type: 'spki', format: 'der' }).subarray(-32));
  const key = createVkey(ORIGIN, ED25519, raw);
  const pin = { vkey: formatVkey(key), first_tree_size: 0, last_tree_size: null };
  const trust: TrustFile = {
    format: 'answer-evidence-trust/v1',
    logs: [{ origin: ORIGIN, keys: [pin] }],
    witness_policy: null,
    tsa_roots: [],
  };
  const { record } = createSignedBundle().bundle;
  const cores: readonly JsonValue[] = [
    { id: idOf(0) },
    { ...record.core, id: idOf(1) },
    { ...record.core, id: idOf(2) },
  ];
  const entries = cores.map((core, n) => entryOf(n === 0 ? 'genesis' : 'answer_recorded', n, core, idOf(n)));
  const { receiptOf } = signTree(entries);
  const bundles = [1, 2].map((n) => {
    const entry = entries[n] ?? '';
    const leaf = { leaf_index: n, entry, leaf_hash: formatHex(leafHash(entry)), proof: receiptOf(n) };
    return {
      format: 'answer-evidence-bundle/v1',
      origin: ORIGIN,
      workspace_id: idOf(9),
      record: { ...leaf, core: cores[n], disclosed: record.disclosed },
      status: 'recorded',
      events: [],
      attachments: [],
      checkpoint: signTree(entries).note,
      anchors: [],
      log_keys: [pin],
      policy: null,
    };
  });
  const names = ['bundle-1', 'bundle-2'];
  const manifest = {
    format: 'answer-evidence-pack/v1',
    made_at: formatTimestamp(MADE_AT),
    origin: ORIGIN,
    bundles: names,
  };
  const parts = [['pack', manifest], ['trust', trust], ...names.map((name, n) => [name, bundles[n]] as const)] as const;
  const page = `<!doctype html>\n${parts.map(([id, value]) => part(id, value)).join('\n')}\n`;
  const core = {
    id: idOf(3),
    nonce: '00'.repeat(16),
    format: 'pack',
    filters: { answer_log_ids: [idOf(1), idOf(2)] },
    records: 2,
    content_hash: `sha256:${formatHex(sha256(page))}`,
    actor: { kind: 'user', id: idOf(8), token_id: null },
  };
  const all = [...entries, entryOf('export_made', 3, core, idOf(9))];
  const signed = signTree(all);
  return {
    page,
    trust,
    entry: { id: core.id, core, receipt: signed.receiptOf(3), ledger: { entry: all[3] ?? '' } },
    log: (folder) => ({
      [`${folder}/checkpoint`]: signed.note,
      [`${folder}/tile/entries/000.p/4`]: formatHex(
        concatBytes(...all.flatMap((text) => [Uint8Array.of(text.length >> 8, text.length & 255), utf8(text)])),
      ),
      [`${folder}/tile/0/000.p/4`]: formatHex(concatBytes(...all.map((text) => leafHash(text)))),
    }),
  };

  function signTree(leaves: readonly string[]) {
    const tree = appendLeaves(
      0,
      [],
      leaves.map((entry) => leafHash(entry)),
    );
    const text = formatCheckpoint({ origin: ORIGIN, size: tree.size, root: tree.root });
    const signature = new Uint8Array(sign(null, utf8(text), privateKey));
    const note = formatNote({ text, signatures: [{ name: ORIGIN, keyId: key.id, signature }] });
    const receiptOf = (index: number) => formatTlogProof({ index, hashes: tree.proofOf(index), checkpoint: note });
    return { note, receiptOf };
  }
}

function entryOf(type: EntryType, n: number, core: JsonValue, subject: string): string {
  const hash = hashCoreText(type, canonicalize(core));
  return formatEntry({ type, id: idOf(n), subject, seq: 0, hash, at: MADE_AT - 10 + n });
}

function part(id: string, value: unknown): string {
  const text = JSON.stringify(value).replaceAll('<', String.raw`\u003c`);
  return `<script type="application/json" id="${id}">${text}</script>`;
}
