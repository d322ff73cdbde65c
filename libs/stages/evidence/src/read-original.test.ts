import { beforeAll, describe, expect, it } from '@jest/globals';
import type { ProblemCode } from '@answer-evidence/contracts';
import { formatObjectName, ObjectMissingError, type ObjectName, VaultError } from '@answer-evidence/ports';
import { MemoryObjects } from '@answer-evidence/testing';
import {
  ASSETS,
  createAsset,
  type EvidenceTest,
  onWorkspace,
  openEvidence,
  redactAsset,
  retrieve,
} from './fixtures/evidence.ts';

/** Objects with something that happens at the moment when one is to be read. */
class RacingObjects extends MemoryObjects {
  beforeRead: (name: ObjectName) => Promise<void> | void = () => undefined;

  override async *read(name: ObjectName, range?: { readonly offset: number; readonly length: number }) {
    const { beforeRead } = this;
    this.beforeRead = () => undefined;
    await beforeRead(name);
    yield* super.read(name, range);
  }
}

describe('an original', () => {
  const objects = new RacingObjects();
  let stage: EvidenceTest;
  let contents = 0;
  beforeAll(async () => {
    stage = onWorkspace({ ...(await openEvidence()), objects });
  });

  /** An asset that is one segment, its original. */
  const upload = () => {
    const bytes = Uint8Array.of(0, 1, 2, ++contents);
    return createAsset(stage, { content_base64: Buffer.from(bytes).toString('base64') });
  };

  function alter(name: ObjectName, change: (bytes: Uint8Array) => Uint8Array): void {
    const kept = objects.kept.get(name);
    if (kept === undefined) throw new Error('no such object');
    objects.kept.set(name, { ...kept, bytes: change(kept.bytes) });
  }
  const download = (assetId: string) => stage.call('POST', `${ASSETS}/${assetId}/download`, { as: stage.manager });

  /** Has the asset redacted and its object deleted just before the object is read. */
  function race(assetId: string): void {
    objects.beforeRead = async (name) => {
      objects.beforeRead = () => undefined;
      await redactAsset(stage, assetId);
      await objects.delete(name);
    };
  }

  it('that is purged while a download begins is gone, and no failure', async () => {
    const { id } = await upload();
    race(id);
    expect(await download(id)).toMatchObject({ code: 'gone_redacted' satisfies ProblemCode });
  });

  it('that is purged while it is retrieved leaves its tombstone', async () => {
    const { id } = await upload();
    race(id);
    const { segments } = await retrieve(stage, id);
    expect(segments).toMatchObject([{ index: 0, tombstone: { reason_code: null } }]);
  });

  it.each([
    ['is missing', 'is missing', ObjectMissingError, (name: ObjectName) => objects.kept.delete(name)],
    [
      'was altered',
      'was altered',
      VaultError,
      (name: ObjectName) => alter(name, (bytes) => bytes.map((byte, at) => (at === 1 ? byte ^ 1 : byte))),
    ],
    ['was cut', 'was altered', VaultError, (name: ObjectName) => alter(name, (bytes) => bytes.subarray(0, -1))],
    [
      'was cut in half',
      'was altered',
      VaultError,
      (name: ObjectName) => alter(name, (b) => b.subarray(0, b.length / 2)),
    ],
    ['was emptied', 'was altered', VaultError, (name: ObjectName) => alter(name, () => new Uint8Array())],
    [
      'has more than it had',
      'was altered',
      VaultError,
      (name: ObjectName) => alter(name, (bytes) => Buffer.concat([bytes, bytes])),
    ],
  ])(
    'that %s while its asset is there is said to be damaged, with the asset’s id',
    async (_case, what, Cause, harm) => {
      const { id } = await upload();
      const stored = await stage.evidence.find(stage.workspace.id, id);
      harm(formatObjectName(stage.workspace.id, stored?.content?.id ?? ''));
      const refusal = {
        status: 500,
        code: 'content_damaged',
        detail: expect.stringContaining(what),
      };
      const reply = await download(id);
      expect(reply).toMatchObject({ ...refusal, logged: { remedy: 'give-up', cause: expect.any(Cause) } });
      expect(reply.detail).toContain(id);
      const retrieved = await stage.call('POST', `${ASSETS}/${id}/retrieve`, { as: stage.manager });
      expect(retrieved).toMatchObject({ status: 500, code: 'content_damaged' });
    },
  );
});
