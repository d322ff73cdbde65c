import { MICROS_PER_SECOND } from '@answer-evidence/encoding';
import {
  evaluateQuorum,
  parseNote,
  parseVkey,
  parseWitnessPolicy,
  type VerifiedCosignature,
  verifyCosignatures,
  type WitnessPolicy,
} from '@answer-evidence/note';
import type { TreeSigner, VersionedTrustPolicy, Workspace } from '@answer-evidence/ports';
import type { CosignatureRow, PublishedRow } from '@answer-evidence/tables';
import { TIME_TOLERANCE_MICROS } from '@answer-evidence/verify';
import type { TrustDeps } from '../deps.ts';
import { signCosignedHead } from '../publishing/sign-head.ts';

/** A published checkpoint with what witnesses have said of it, judged by a policy. */
export type CosignedCheckpoint = {
  readonly row: PublishedRow;
  /** The signed note with all cosignatures that were kept. */
  readonly note: string;
  /** What is anchored: the text of the note, without signatures. */
  readonly text: string;
  /** Cosignatures of the policy's witnesses that verify. */
  readonly cosignatures: readonly VerifiedCosignature[];
  /** Null when the policy asks for no witness. */
  readonly quorumReached: boolean | null;
};

/**
 * Reads and judges the cosignatures of a published checkpoint. One that does not verify is not counted, nor one that
 * states a time from before the checkpoint.
 */
export async function readCosignedCheckpoint(
  deps: Pick<TrustDeps, 'trust' | 'logs' | 'verifySignature'>,
  workspace: Workspace,
  row: PublishedRow,
  policy: VersionedTrustPolicy,
): Promise<CosignedCheckpoint> {
  const rows = await deps.trust.cosignatures(workspace.id, row.tree_size);
  const signer = await deps.logs.signer(workspace.id);
  return judgeCosignatures(deps, signer, row, rows, parseWitnessPolicy(policy.values.witness_policy));
}

function isAfter({ timestamp }: VerifiedCosignature, { published_at: publishedAt }: PublishedRow): boolean {
  return timestamp * MICROS_PER_SECOND >= publishedAt - TIME_TOLERANCE_MICROS;
}

/** The same with rows that were read already. */
async function judgeCosignatures(
  { verifySignature }: Pick<TrustDeps, 'verifySignature'>,
  signer: TreeSigner,
  row: PublishedRow,
  rows: readonly CosignatureRow[],
  witnesses: WitnessPolicy,
): Promise<CosignedCheckpoint> {
  const head = { size: row.tree_size, root: row.root };
  const note = await signCosignedHead(signer, head, rows);
  const parsed = parseNote(note);
  const cosignatures: VerifiedCosignature[] = [];
  for (const one of rows) {
    // Judged one by one: a note with one bad signature of a known witness is refused as a whole.
    const alone = { ...parsed, signatures: parseNote(await signCosignedHead(signer, head, [one])).signatures };
    const verified = await verifyCosignatures(alone, witnesses, verifySignature).catch(() => []);
    cosignatures.push(...verified.filter((cosignature) => isAfter(cosignature, row)));
  }
  return {
    row,
    note,
    text: parsed.text,
    cosignatures,
    quorumReached:
      witnesses.quorum === null
        ? null
        : evaluateQuorum(
            witnesses,
            cosignatures.map(({ publicKeyHex }) => publicKeyHex),
            signer.keys.map(({ vkey }) => parseVkey(vkey)),
          ).isMet,
  };
}
