import type { BundleContext } from '../bundle-context.ts';
import { notApplicable, skip, type Verdict } from '../verdict.ts';

/** Cosignatures of witnesses over this checkpoint. */
export function checkWitnesses({ bundle, trust }: BundleContext): Verdict {
  if (bundle.policy === null && trust.witness_policy === null) {
    return notApplicable('no policy asks for witnesses');
  }
  return skip('a policy asks for witnesses, and this verifier does not read such policies');
}

/** Anchors of this very checkpoint. */
export function checkExternalAnchor({ bundle }: BundleContext): Verdict {
  if (bundle.policy === null) return notApplicable('no policy asks for an external anchor');
  return skip('a policy is in force, and this verifier does not read anchors');
}

/** PASS would mean ANCHORED; with no policy there is nothing to be anchored under. */
export function checkAnchored({ bundle, trust }: BundleContext): Verdict {
  if (bundle.policy === null && trust.witness_policy === null) {
    return notApplicable(
      'no policy asks for anchors or witnesses, so nothing outside of the service vouches for the log',
    );
  }
  return skip('a policy is in force, and this verifier reads neither anchors nor witness policies');
}
