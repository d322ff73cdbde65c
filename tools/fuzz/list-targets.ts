import type { Target } from './target.ts';
import { BODY_TARGETS } from './targets/bodies.ts';
import { LOG_TARGETS } from './targets/logged-entries.ts';
import { OTLP_TARGETS } from './targets/otlp.ts';
import { PROOF_TARGETS } from './targets/proofs.ts';
import { REQUEST_TARGETS } from './targets/requests.ts';

/** Every parser of bytes from outside. */
export const TARGETS: readonly Target[] = [
  ...OTLP_TARGETS,
  ...PROOF_TARGETS,
  ...LOG_TARGETS,
  ...REQUEST_TARGETS,
  ...BODY_TARGETS,
];
