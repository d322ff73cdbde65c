import { describe, expect, it } from '@jest/globals';
import { sha256 } from '@answer-evidence/digest';
import { formatHex, utf8 } from '@answer-evidence/encoding';
import { parseNote } from '@answer-evidence/note';
import { createFakeAnchor } from '@answer-evidence/testing';
import { createRecord, openTrust, putPolicy, runConsumer } from '../../fixtures/trust.ts';

describe('GET /api/trust/anchors', () => {
  it('lists every anchor with its attempts, its digest that of the checkpoint’s text', async () => {
    let isUp = false;
    const stage = await openTrust({
      anchors: {
        file: createFakeAnchor(),
        rfc3161: createFakeAnchor(),
        'object-lock': createFakeAnchor(() =>
          isUp
            ? { kind: 'confirmed', artefact: utf8('{}'), at: 1_795_165_200_000_000, detail: 'locked' }
            : { kind: 'failed', detail: 'nobody could be reached' },
        ),
      },
    });
    const lock = {
      id: 'lock',
      type: 'object-lock' as const,
      url: 'https://s3.example',
      bucket: 'evidence',
      region: 'eu-1',
      prefix: '',
      retention_days: 1,
      access_key_id: 'key',
      required: false,
      secret_access_key: 's',
    };
    await putPolicy(stage, { anchors: [{ id: 'disk', type: 'file' }, lock] });
    await createRecord(stage);
    await runConsumer(stage, 'trust.run');
    const list = async () =>
      (
        (await stage.call('GET', '/api/trust/anchors', { as: stage.member })).body as {
          items: Record<string, unknown>[];
        }
      ).items;
    const [disk, failed] = await list();
    const published = await stage.trust.newestPublished(stage.workspace.id);
    const checkpoints = await stage.call('GET', '/api/trust/checkpoints', { as: stage.member });
    const [newest] = (checkpoints.body as { items: { note: string }[] }).items;
    const digest = formatHex(sha256(utf8(parseNote(newest?.note ?? '').text)));
    expect(disk).toMatchObject({ anchor_id: 'disk', state: 'confirmed', digest, tree_size: published?.tree_size });
    expect(failed).toMatchObject({ anchor_id: 'lock', state: 'pending', anchored_at: null, digest });
    expect(failed?.['attempts']).toMatchObject([{ attempt: 1, outcome: 'failed', detail: 'nobody could be reached' }]);
    isUp = true;
    await runConsumer(stage, 'trust.run');
    const [, confirmed] = await list();
    expect(confirmed).toMatchObject({ state: 'confirmed', next_attempt_at: null });
    expect(confirmed?.['attempts']).toMatchObject([{ outcome: 'failed' }, { attempt: 2, outcome: 'confirmed' }]);
  });
});
