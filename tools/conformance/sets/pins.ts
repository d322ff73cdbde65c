import { createWitness, reseal } from '../reseal.ts';
import { openStamps } from '../stamps/tokens.ts';
import { UNREADABLE_PINS } from '../stamps/unreadable-pins.ts';
import { give, type Open, type WholeCase } from './whole-case.ts';

/** A pin that cannot be read is a refused trust file, whether or not anything needs it. */
export function listPins(open: Open): readonly WholeCase[] {
  const world = reseal(open('plain'));
  const { pem } = openStamps(new Uint8Array(32))({});
  const refuse = (id: string, changed: object): WholeCase => ({
    id: `pins: ${id}`,
    given: give({ ...world, trust: { ...world.trust, ...changed } }),
    expected: { refused: true },
  });
  const withKey = (vkey: string) => ({
    logs: [
      ...world.trust.logs,
      { origin: 'other.example', keys: [{ vkey, first_tree_size: 0, last_tree_size: null }] },
    ],
  });
  return [
    ...UNREADABLE_PINS.flatMap(([name, change]) => [
      refuse(`${name} among the roots`, { tsa_roots: [change(pem)] }),
      refuse(`${name} beside a good root`, { tsa_roots: [pem, change(pem)] }),
      refuse(`${name} for an anchor`, {
        anchors: [{ anchor_id: 'tsa', type: 'rfc3161', required: false, certificate_pem: change(pem) }],
      }),
    ]),
    refuse('an unreadable key of another log', withKey('junk')),
    refuse(
      'a key of another log with another id',
      withKey('other.example+00000000+AbP8A2l5ffQmcNL/uhCCyM3AQ5u6f/+nody/1fSSBZJy'),
    ),
    refuse('the key of a witness as the key of a log', withKey(createWitness(1).vkey)),
    refuse('no logs', { logs: [] }),
    refuse('another format', { format: 'answer-evidence-trust/v2' }),
    refuse('nine anchors required', { anchors_required: 9 }),
  ];
}
