import { beforeAll, describe, expect, it } from '@jest/globals';
import { ServiceError } from '@answer-evidence/contracts';
import { formatObjectName, type ObjectName } from '@answer-evidence/ports';
import { MemoryObjects } from '@answer-evidence/testing';
import { checkOriginals, type OriginalsChecked } from './check-originals.ts';
import { createAsset, type EvidenceTest, onWorkspace, openEvidence, redactAsset } from './fixtures/evidence.ts';

/** Objects before each of which something happens when it is looked for. */
class WatchedObjects extends MemoryObjects {
  beforeFind: (name: ObjectName) => Promise<void> | void = () => undefined;

  override async find(name: ObjectName) {
    await this.beforeFind(name);
    return super.find(name);
  }
}

const BYTES = 100_000;
const objects = new WatchedObjects();
let opened: EvidenceTest;
let stage: EvidenceTest;
let nth = 0;
beforeAll(async () => {
  opened = await openEvidence();
  stage = onWorkspace({ ...opened, objects });
});

async function upload(): Promise<{ readonly id: string; readonly name: ObjectName }> {
  const bytes = new Uint8Array(BYTES).fill(++nth);
  const { id } = await createAsset(stage, { content_base64: Buffer.from(bytes).toString('base64') });
  const asset = await stage.evidence.find(stage.workspace.id, id);
  return { id, name: formatObjectName(stage.workspace.id, asset?.content?.id ?? '') };
}

const check = (options: Partial<Parameters<typeof checkOriginals>[2]> = {}) =>
  checkOriginals({ objects, originals: opened.originals, turn: () => Promise.resolve() }, stage.workspace, {
    bytesMax: Infinity,
    ...options,
  });

/** Changes an object, checks, and puts it back. */
async function checkWith(name: ObjectName, change: (bytes: Uint8Array) => Uint8Array | undefined) {
  const kept = objects.kept.get(name);
  if (kept === undefined) throw new Error('no such object');
  const bytes = change(Uint8Array.from(kept.bytes));
  if (bytes === undefined) objects.kept.delete(name);
  else objects.kept.set(name, { ...kept, bytes });
  const checked = await check();
  objects.kept.set(name, kept);
  return checked;
}

describe('a check of originals', () => {
  it('reads every one, and finds nothing where nothing is wrong', async () => {
    for (let n = 0; n < 3; n++) await upload();
    expect(await check()).toMatchObject({ stored: 3, read: 3, findings: [], findingsTotal: 0 });
  });

  it.each<[string, (bytes: Uint8Array) => Uint8Array | undefined, string]>([
    ['is gone', () => undefined, 'its object is missing from the object store'],
    ['is empty', () => new Uint8Array(0), 'its object was altered in the object store'],
    ['is cut', (bytes) => bytes.subarray(0, 65_552), 'its object was altered in the object store'],
    ['is longer', (bytes) => Uint8Array.of(...bytes, 0), 'its object was altered in the object store'],
    ['has a flipped bit', flip, 'its object was altered in the object store'],
  ])('names the asset whose object %s, and no other one', async (_, change, detail) => {
    const { id, name } = await upload();
    const checked = await checkWith(name, change);
    expect(checked.findings).toMatchObject([{ check: 'evidence_object', object: `original of asset ${id}`, detail }]);
    expect([checked.read, checked.findingsTotal]).toEqual([checked.stored, 1]);
    expect((await check()).findings).toEqual([]);
  });

  it('takes what is erased while it looks for no damage', async () => {
    const { id, name } = await upload();
    const { stored } = await check();
    objects.beforeFind = async (asked) => {
      if (asked !== name) return;
      objects.beforeFind = () => undefined;
      await redactAsset(stage, id);
      await objects.delete(name);
    };
    expect(await check()).toMatchObject({ stored: stored - 1, read: stored - 1, findings: [] });
  });

  it('says what it did not read: beyond its bytes, of which sizes are compared all the same', async () => {
    const { stored } = await check();
    expect(await check({ bytesMax: 2 * BYTES })).toMatchObject({ stored, read: 2, findings: [] });
    const { name } = await upload();
    const kept = required(name);
    objects.kept.set(name, { ...kept, bytes: new Uint8Array(3) });
    expect(await check({ bytesMax: 0 })).toMatchObject({ stored: stored + 1, read: 1, findingsTotal: 1 });
    objects.kept.set(name, kept);
  });

  it('ends early while the object store is unavailable, which is no damage, and goes on from there', async () => {
    const { stored, findingsTotal } = await check();
    let looked = 0;
    objects.beforeFind = () => {
      if (++looked > 2) throw new ServiceError('object_store_unavailable', 'away', { remedy: 'retry' });
    };
    const before: OriginalsChecked = await check();
    objects.beforeFind = () => undefined;
    expect(before).toMatchObject({ stored, read: 2 });
    let again = 0;
    objects.beforeFind = () => void again++;
    const after = await check({ before });
    objects.beforeFind = () => undefined;
    expect([after.read, after.findingsTotal, again]).toEqual([stored, findingsTotal, stored - 2]);
  });
});

function required(name: ObjectName) {
  const kept = objects.kept.get(name);
  if (kept === undefined) throw new Error('no such object');
  return kept;
}

function flip(bytes: Uint8Array): Uint8Array {
  bytes[70_000] = (bytes[70_000] ?? 0) ^ 1;
  return bytes;
}
