import { sha256 } from '@answer-evidence/digest';
import { formatBase64, utf8 } from '@answer-evidence/encoding';
import { reseal } from '../reseal.ts';
import { STAMP_KINDS } from '../stamps/kinds.ts';
import { openStamps } from '../stamps/tokens.ts';
import { give, type Open, type WholeCase } from './whole-case.ts';

/** Each kind of time-stamp under a pinned anchor. */
export function listStamps(open: Open): readonly WholeCase[] {
  const world = reseal(open('plain'));
  const text = world.bundle.checkpoint.slice(0, world.bundle.checkpoint.indexOf('\n\n') + 1);
  const make = openStamps(sha256(utf8(text)));
  return STAMP_KINDS.map(({ rule, name, isBelieved, craft }) => {
    const { response, pem } = make(craft);
    const bundle = {
      ...world.bundle,
      anchors: [{ anchor_id: 'tsa', type: 'rfc3161' as const, artefact: formatBase64(response) }],
    };
    const anchors = [{ anchor_id: 'tsa', type: 'rfc3161' as const, required: true, certificate_pem: pem }];
    const outcome = isBelieved ? 'PASS' : 'FAIL';
    const isRefused = name.startsWith('the time of the certificate of the root');
    return {
      id: `time-stamp, rule ${rule}: ${name}`,
      given: give({ ...world, bundle, trust: { ...world.trust, anchors, anchors_required: 1 } }),
      expected: isRefused ? { refused: true } : { outcomes: { external_anchor: outcome, anchored: outcome } },
    };
  });
}
