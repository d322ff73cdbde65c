import { CheckFailure } from '@answer-evidence/verify/verdict';
import type { Findings } from './findings.ts';
import { ATTESTATION_KINDS, type AttestationKind, type LooseRowReader } from './ledger-reader.ts';

/** Every attestation row has the MAC that the service made for it, and there are as many as the counts say. */
export async function checkAttestations(reader: LooseRowReader, findings: Findings): Promise<void> {
  const whole = { check: 'voucher', object: 'cosignatures and anchors of the log', leafIndex: null };
  const counts: Record<AttestationKind, number> = { checkpoints: 0, cosignatures: 0, anchors: 0, attempts: 0 };
  await findings.guard(whole, async () => {
    for await (const batch of reader.attestations()) {
      for (const { kind, name, isMacValid } of batch) {
        counts[kind] += 1;
        if (!isMacValid) findings.add({ ...whole, object: name }, 'its MAC is invalid');
      }
    }
  });
  await findings.guard({ ...whole, object: 'the counts of cosignatures and anchors' }, async () => {
    const stored = await reader.attestationCounts();
    if (stored === undefined) {
      if (ATTESTATION_KINDS.some((kind) => counts[kind] > 0)) throw new CheckFailure('it is missing');
      return;
    }
    if (!stored.isMacValid) throw new CheckFailure('its MAC is invalid');
    for (const kind of ATTESTATION_KINDS) {
      if (counts[kind] !== stored.counts[kind]) {
        const compared = { expected: String(stored.counts[kind]), actual: String(counts[kind]) };
        findings.add(
          { ...whole, object: kind },
          new CheckFailure('rows are missing or there are extra rows', compared).message,
        );
      }
    }
  });
}
