import { describe, expect, it } from '@jest/globals';
import { planLag } from './plan-lag.ts';

const at = (second: number) => new Date(Date.UTC(2026, 10, 20) + second * 1000).toISOString();
const seconds = (second: number) => Date.parse(at(second)) / 1000;
const checkpoint = (size: number, second: number, cosigned: Readonly<Record<string, number>> = {}) => ({
  tree_size: size,
  published_at: at(second),
  cosignatures: Object.entries(cosigned).map(([witness, time]) => ({ witness, vkey: witness, time: seconds(time) })),
});
const anchor = (size: number, state: 'confirmed' | 'failed', second: number) => ({
  anchor_id: 'tsa',
  tree_size: size,
  state,
  created_at: at(second),
  anchored_at: state === 'confirmed' ? at(second) : null,
});

describe('the lag of who vouches', () => {
  it('is the time until the first tree that has the checkpoint in it is covered, oldest checkpoint first', () => {
    const checkpoints = [checkpoint(9, 30), checkpoint(5, 20, { w2: 24, w1: 19 }), checkpoint(2, 10, { w1: 12 })];
    const { checkpoints: shown, series } = planLag(
      checkpoints,
      [
        { ...anchor(9, 'confirmed', 32), anchor_id: 'tsa.renewal-1', renews: 3 },
        anchor(9, 'failed', 31),
        anchor(5, 'confirmed', 25),
      ],
      false,
    );
    expect(shown.map(({ treeSize }) => treeSize)).toEqual([2, 5, 9]);
    expect(series).toEqual([
      { kind: 'witness', name: 'w1', lagsSeconds: [2, 0, null] },
      { kind: 'witness', name: 'w2', lagsSeconds: [14, 4, null] },
      { kind: 'anchor', name: 'tsa', lagsSeconds: [15, 5, null] },
    ]);
  });

  it('leaves out checkpoints from before the anchors that it knows, and has none where nobody vouches', () => {
    const checkpoints = [checkpoint(5, 20), checkpoint(2, 10)];
    const { series } = planLag(checkpoints, [anchor(5, 'confirmed', 15)], true);
    expect(series).toEqual([{ kind: 'anchor', name: 'tsa', lagsSeconds: [0] }]);
    expect(planLag(checkpoints, [], false).series).toEqual([]);
    expect(planLag([], [], false)).toEqual({ checkpoints: [], series: [] });
  });
});
