import { describe, expect, it } from '@jest/globals';
import type { AnchorItem, CheckpointItem } from '@answer-evidence/contracts';
import { judgeAttestations } from './judge-attestations.ts';

const checkpoint = (size: number, quorum: boolean | null): CheckpointItem => ({
  tree_size: size,
  root_hash: 'a'.repeat(64),
  published_at: '2026-11-20T09:00:00.000000Z',
  note: '',
  cosignatures: [],
  quorum_reached: quorum,
});
const anchor = (size: number, type: AnchorItem['type'], state: AnchorItem['state']): AnchorItem => ({
  id: '0199f3c2-0000-7000-8000-000000000001',
  anchor_id: 'a',
  type,
  tree_size: size,
  digest: '',
  state,
  created_at: '2026-11-20T09:00:00.000000Z',
  anchored_at: null,
  next_attempt_at: null,
  attempts: [],
});

describe('what vouches for a log', () => {
  it('is nobody outside while the policy asks nobody', () => {
    expect(judgeAttestations([checkpoint(9, null)], [anchor(9, 'file', 'confirmed')], [{ type: 'file' }])).toEqual({
      signed: 9,
      witnessed: null,
      anchored: null,
    });
  });

  it('reaches as far as a quorum and a confirmed outside anchor do, and no farther', () => {
    const checkpoints = [checkpoint(12, false), checkpoint(9, true), checkpoint(4, true)];
    const anchors = [
      anchor(12, 'file', 'confirmed'),
      anchor(12, 'rfc3161', 'pending'),
      anchor(9, 'rfc3161', 'failed'),
      anchor(4, 'rfc3161', 'confirmed'),
    ];
    expect(judgeAttestations(checkpoints, anchors, [{ type: 'rfc3161' }])).toEqual({
      signed: 12,
      witnessed: 9,
      anchored: 4,
    });
  });

  it('is nothing yet for a log without a checkpoint', () => {
    expect(judgeAttestations([], [], [{ type: 'rfc3161' }])).toEqual({ signed: 0, witnessed: null, anchored: 0 });
  });
});
