import { describe, expect, it } from '@jest/globals';
import type { PinnedHead } from '@answer-evidence/ports';
import { headStoreContract } from '@answer-evidence/ports/contracts';
import { createFakeHeadFiles } from '@answer-evidence/testing';
import { createHeadStore } from './head-store.ts';

const ID = '0199f3c2-0000-7000-8000-000000000001';
const RECORD = '0199f3c2-0000-7000-8000-000000000002';
const ROOT = '0'.repeat(64);
const head: PinnedHead = {
  workspaceId: ID,
  origin: 'example.com/log',
  treeSize: 3,
  rootHash: ROOT,
  systemIdentifier: '7400000000000000001',
};
const NAME = `${ID}/head-0000-0000000000000003-${ROOT}.json`;

function open() {
  const kept = new Map<string, string>();
  return { kept, heads: createHeadStore(createFakeHeadFiles(kept)) };
}

describe('createHeadStore keeps the contract:', () => {
  for (const promise of headStoreContract) {
    it(promise.guarantee, () => {
      const kept = new Map<string, string>();
      return promise.prove({ open: () => Promise.resolve(createHeadStore(createFakeHeadFiles(kept))) });
    });
  }
});

describe('createHeadStore', () => {
  it('names a file by epoch, size and root, and writes nothing else into it than before', async () => {
    const { kept, heads } = open();
    await heads.keep(head);
    expect([...kept]).toEqual([
      [
        NAME,
        `{"origin":"example.com/log","root_hash":"${ROOT}","system_identifier":"7400000000000000001","tree_size":3,"workspace_id":"${ID}"}\n`,
      ],
    ]);
  });

  it('misses the newest head of which there is a copy, names both, and takes the copy in its place', async () => {
    const { kept, heads } = open();
    const sizes = [3, 4, 5];
    for (const treeSize of sizes) {
      await heads.keep({ ...head, treeSize, timeline: 1 });
      await heads.copyNewest(ID);
      await heads.copyNewest(ID);
    }
    const copies = [...kept.keys()].filter((name) => name.includes('/newest-'));
    const server = '7400000000000000001-00000001-async';
    expect(copies).toEqual([`${ID}/newest-0000-0000000000000005-${ROOT}-${server}.json`]);
    const [copy = ''] = copies;
    const newest = copy.replace('newest', 'head');
    const text = kept.get(newest) ?? '';
    kept.delete(newest);
    const gone = { code: 'kept_gone', message: expect.stringContaining(`${newest} was kept and is gone`) };
    await expect(heads.find(ID)).rejects.toMatchObject(gone);
    await expect(heads.find(ID)).rejects.toThrow(`from its copy memory/${copy}`);
    await expect(heads.copyNewest(ID)).rejects.toMatchObject(gone);
    for (const name of [...kept.keys()]) if (name.includes('/head-')) kept.delete(name);
    await expect(heads.find(ID)).rejects.toMatchObject(gone);
    kept.set(newest, kept.get(copy) ?? '');
    expect([kept.get(newest), (await heads.find(ID))?.treeSize]).toEqual([text, 5]);
    // Another name may begin with fewer entries.
    await heads.moveOn({ ...head, origin: 'example.com/log/2', treeSize: 4, timeline: 1 }, head.origin);
    expect((await heads.find(ID))?.treeSize).toBe(4);
  });

  it('takes no damaged file for "no head yet", names it, and does not overwrite it', async () => {
    const { kept, heads } = open();
    await heads.keep(head);
    const text = kept.get(NAME) ?? '';
    const damaged = [
      '',
      text.slice(0, -3),
      text + text,
      text.replace('"tree_size":3', '"tree_size":"3"'),
      text.replace('"tree_size":3', '"tree_size":3,"tree_size":1'),
      text.replace('"tree_size":3', '"tree_size":3,"more":1'),
      text.replace('"tree_size":3', '"tree_size":2'),
      text.replace('000001"}', '000002"}'),
    ];
    for (const content of damaged) {
      kept.set(NAME, content);
      const refusal = {
        code: 'kept_unreadable',
        message: expect.stringContaining(`memory/${NAME} cannot be read or is damaged`),
      };
      await expect(heads.find(ID)).rejects.toMatchObject(refusal);
      await expect(heads.keep({ ...head, treeSize: 9 })).rejects.toMatchObject(refusal);
      expect([...kept]).toEqual([[NAME, content]]);
    }
    kept.set(NAME, text);
    expect(await heads.find(ID)).toMatchObject(head);
  });

  it('reads no damaged redactions as if there were fewer', async () => {
    const { kept, heads } = open();
    await heads.keepRedactions(ID, 5, [{ recordId: RECORD, eventId: ID, payload: {} }]);
    const [[name, text] = ['', '']] = [...kept];
    kept.set(name, text.slice(0, 0));
    await expect(heads.findRedactions(ID)).rejects.toMatchObject({ code: 'kept_unreadable' });
  });
});

describe('the first form, one file per workspace', () => {
  const ended = [{ origin: 'example.com/first', root_hash: 'a'.repeat(64), tree_size: 8 }];
  const first = `{"ended":${JSON.stringify(ended)},"origin":"example.com/log","root_hash":"${ROOT}","system_identifier":"7","tree_size":3,"workspace_id":"${ID}"}\n`;
  const line = `{"event_id":"${ID}","payload":{"reason_code":"privacy"},"record_id":"${RECORD}"}\n`;
  // As crashes left it: a torn line that was closed, and a beginning at the end.
  const lines = `{"event_id":"0#\n${line}{"eve`;

  function openFirst() {
    const kept = new Map([
      [`${ID}.json`, first],
      [`${ID}.redactions`, lines],
    ]);
    return { kept, heads: createHeadStore(createFakeHeadFiles(kept)) };
  }

  async function assertSame(heads: ReturnType<typeof open>['heads'], treeSize: number): Promise<void> {
    expect(await heads.find(ID)).toMatchObject({ origin: head.origin, treeSize, twins: [], claims: [] });
    expect(await heads.findEnded(ID)).toEqual(['example.com/first']);
    expect(await heads.hasRedactions(ID)).toBe(true);
    const redaction = { recordId: RECORD, eventId: ID, payload: { reason_code: 'privacy' } };
    expect(await heads.findRedactions(ID)).toEqual([redaction]);
    expect(await heads.workspaceIds()).toEqual([ID]);
  }

  it('is read as it is, and changed by nothing that only reads', async () => {
    const { kept, heads } = openFirst();
    await assertSame(heads, 3);
    expect([...kept.keys()]).toEqual([`${ID}.json`, `${ID}.redactions`]);
  });

  it('is copied by the first head that is kept, and goes', async () => {
    const { kept, heads } = openFirst();
    await heads.keep({ ...head, treeSize: 4, rootHash: 'b'.repeat(64) });
    await assertSame(heads, 4);
    await assertSame(createHeadStore(createFakeHeadFiles(kept)), 4);
    expect([...kept.keys()].filter((name) => !name.startsWith(`${ID}/`))).toEqual([]);
    const fork = { ...head, treeSize: 4, rootHash: 'c'.repeat(64) };
    await expect(heads.keep(fork)).rejects.toMatchObject({ code: 'log_refused' });
  });

  it('is copied whole by the next, wherever a crash ended the first', async () => {
    const writes = [...(await copyUntil(Infinity)).keys()].length;
    for (let count = 0; count <= writes; count++) {
      const kept = await copyUntil(count);
      const heads = createHeadStore(createFakeHeadFiles(kept));
      await assertSame(heads, (await heads.find(ID))?.treeSize ?? 0);
      await heads.keep({ ...head, treeSize: 5, rootHash: 'b'.repeat(64) });
      await assertSame(heads, 5);
    }
  });

  /** What is kept when a process is killed before that many changes were made. */
  async function copyUntil(changes: number): Promise<Map<string, string>> {
    const { kept } = openFirst();
    const files = createFakeHeadFiles(kept);
    let left = changes;
    const dying = (action: () => Promise<void>) => (left-- > 0 ? action() : Promise.reject(new Error('killed')));
    const heads = createHeadStore({
      ...files,
      write: (name, content) => dying(() => files.write(name, content)),
      delete: (name) => dying(() => files.delete(name)),
    });
    await heads.keep({ ...head, treeSize: 4, rootHash: 'b'.repeat(64) }).catch(() => undefined);
    return kept;
  }
});
