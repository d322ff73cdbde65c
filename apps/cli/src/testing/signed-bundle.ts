import { generateKeyPairSync, sign } from 'node:crypto';
import { formatEntry, hashCoreText } from '@answer-evidence/commitments';
import type { ProofBundle, RecordCore, TrustFile } from '@answer-evidence/contracts';
import { sha256 } from '@answer-evidence/digest';
import { canonicalize, formatHex, utf8 } from '@answer-evidence/encoding';
import { appendLeaves, leafHash } from '@answer-evidence/merkle';
import { createVkey, ED25519, formatCheckpoint, formatNote, formatTlogProof, formatVkey } from '@answer-evidence/note';

/** A bundle that a log signed, the pins that believe the log, and what the caller kept from the creation. */
type SignedBundle = {
  readonly bundle: ProofBundle;
  readonly trust: TrustFile;
  readonly vkey: string;
  readonly receipt: string;
  readonly entry: string;
  readonly leafHashes: readonly Uint8Array[];
};

const ID = '0199f3c2-0000-7000-8000-000000000001';
const ORIGIN = 'log.example/demo/00000000';
const AT = 1_763_629_200_000_000;

/** A fresh log of two leaves whose second is a record with both texts disclosed. */
export function createSignedBundle(): SignedBundle {
  const core = createCore('Which plan?', 'The small one.');
  const hash = hashCoreText('answer_recorded', canonicalize(core));
  const entry = formatEntry({ type: 'answer_recorded', id: ID, subject: ID, seq: 0, hash, at: AT });
  const leafHashes = [leafHash('genesis'), leafHash(entry)];
  const tree = appendLeaves(0, [], leafHashes);

  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const raw = new Uint8Array(publicKey.export({ type: 'spki', format: 'der' }).subarray(-32));
  const key = createVkey(ORIGIN, ED25519, raw);
  const text = formatCheckpoint({ origin: ORIGIN, size: tree.size, root: tree.root });
  const signature = new Uint8Array(sign(null, utf8(text), privateKey));
  const checkpoint = formatNote({ text, signatures: [{ name: ORIGIN, keyId: key.id, signature }] });
  const receipt = formatTlogProof({ index: 1, hashes: tree.proofOf(1), checkpoint });

  const vkey = formatVkey(key);
  const pin = { vkey, first_tree_size: 0, last_tree_size: null };
  const disclosed = {
    question: { text: 'Which plan?', key: null },
    answer: { text: 'The small one.', key: null },
    semantic_refs: [],
    source_refs: [],
  };
  const leaf = { leaf_index: 1, entry, leaf_hash: formatHex(leafHash(entry)), proof: receipt };
  return {
    bundle: {
      format: 'answer-evidence-bundle/v1',
      origin: ORIGIN,
      workspace_id: ID,
      record: { ...leaf, core, disclosed },
      status: 'recorded',
      events: [],
      attachments: [],
      checkpoint,
      anchors: [],
      log_keys: [pin],
      policy: null,
    },
    trust: {
      format: 'answer-evidence-trust/v1',
      logs: [{ origin: ORIGIN, keys: [pin] }],
      witness_policy: null,
      tsa_roots: [],
    },
    vkey,
    receipt,
    entry,
    leafHashes,
  };
}

function createCore(question: string, answer: string): RecordCore {
  const commit = (text: string) => ({
    hash: `sha256:${formatHex(sha256(text))}`,
    hash_key_id: null,
    text_state: 'stored' as const,
  });
  return {
    id: ID,
    nonce: '00'.repeat(16),
    application_key: 'support-bot',
    environment: 'production',
    idempotency_key: null,
    question: commit(question),
    answer: commit(answer),
    semantic_refs: [],
    source_refs: [],
    evidence_access_event_ids: [],
    external_trace_id: null,
    external_message_id: null,
    mode: null,
    actor_id_hash: null,
    session_id_hash: null,
    retention_until: '2027-11-20T09:00:00.000000Z',
    created_by: { kind: 'application', id: 'support-bot', token_id: ID },
    settings_version: 1,
  };
}
