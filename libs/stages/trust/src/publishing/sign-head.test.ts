import { describe, expect, it } from '@jest/globals';
import { NOTE_SIGNATURES_MAX, parseCosignature, parseNote, parseVkey } from '@answer-evidence/note';
import { createTestWitness } from '../fixtures/create-witness.ts';
import { openTrust } from '../fixtures/trust.ts';
import { signCosignedHead } from './sign-head.ts';

describe('a checkpoint with its cosignatures', () => {
  it('is a note that can be read, also when the witnesses of several policies have cosigned it', async () => {
    const { logs, workspace } = await openTrust();
    const signer = await logs.signer(workspace.id);
    const head = { size: 1, root: new Uint8Array(32) };
    const { text } = parseNote(await signer.sign(head));
    const rows = Array.from({ length: 2 * NOTE_SIGNATURES_MAX }, (_, n) => {
      const { vkey, cosign } = createTestWitness(`w${n}.example`, n);
      const signature = parseNote(`${text}\n${cosign(text)}`).signatures[0]?.signature ?? new Uint8Array();
      return { vkey, signature };
    });
    const { signatures } = parseNote(await signCosignedHead(signer, head, rows));
    expect(signatures).toHaveLength(NOTE_SIGNATURES_MAX);
    expect(signatures[0]?.name).toBe(workspace.origin);
    expect(signatures.at(-1)?.name).toBe(parseVkey(rows.at(-1)?.vkey ?? '').name);
    expect(parseCosignature(signatures.at(-1)?.signature ?? new Uint8Array()).timestamp).toBe(1_795_165_200);
  });
});
