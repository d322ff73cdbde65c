import { describe, expect, it } from '@jest/globals';
import { Registry } from 'prom-client';
import { createFakeWorkspace } from '@answer-evidence/testing';
import { AnchorHearings } from './anchor-hearings.ts';

describe('AnchorHearings', () => {
  it('report a place that cannot be read once, and once that it can, and count those that cannot', async () => {
    const reports: string[] = [];
    const hearings = new AnchorHearings((line) => reports.push(line), { nowMicros: () => 1 });
    const registry = new Registry();
    hearings.register(registry, () => Promise.resolve({ anchorIds: new Set(['disk', 'bucket']), sinceMicros: 0 }));
    const count = async () => /^trust_anchors_unread (\d+)$/m.exec(await registry.metrics())?.[1];
    const { workspace } = createFakeWorkspace();
    const note = (anchorId: string, problem: string | undefined) => hearings.note({ workspace, anchorId, problem });
    note('disk', undefined);
    expect([reports, await count()]).toEqual([[], '0']);
    for (const _ of [1, 2]) note('bucket', 'the connection failed');
    note('disk', 'the file of anchors cannot be read (EIO)');
    expect(reports).toEqual([
      'what the anchor "bucket" has of the ledger of "acme" was not read in full: the connection failed. A rollback behind it would go unnoticed',
      expect.stringContaining('the anchor "disk"'),
    ]);
    expect(await count()).toBe('2');
    note('bucket', undefined);
    expect(reports.at(-1)).toBe('what the anchor "bucket" has of the ledger of "acme" was read again');
    expect(await count()).toBe('1');
  });

  it('forget an anchor that the policy has no more, and what another process has read since', async () => {
    let now = 10;
    const hearings = new AnchorHearings(() => undefined, { nowMicros: () => now });
    const registry = new Registry();
    const heard = { anchorIds: new Set(['file', 'bucket']), sinceMicros: 0 };
    let isReadable = true;
    hearings.register(registry, () =>
      isReadable ? Promise.resolve(heard) : Promise.reject(new Error('the policy was altered')),
    );
    const count = async () => /^trust_anchors_unread (\d+)$/m.exec(await registry.metrics())?.[1];
    const { workspace } = createFakeWorkspace();
    const fail = (anchorId: string) => hearings.note({ workspace, anchorId, problem: 'the connection failed' });
    for (const id of ['file', 'bucket']) fail(id);
    expect(await count()).toBe('2');
    isReadable = false;
    heard.anchorIds.delete('bucket');
    expect(await count()).toBe('2');
    isReadable = true;
    expect(await count()).toBe('1');
    now = 20;
    fail('file');
    heard.sinceMicros = 15;
    expect(await count()).toBe('1');
    heard.sinceMicros = 25;
    expect(await count()).toBe('0');
  });
});
