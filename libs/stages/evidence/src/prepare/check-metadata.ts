import {
  EVIDENCE_ATTRIBUTES_BYTES_MAX,
  EVIDENCE_SEGMENTED_BYTES_MAX,
  type EvidenceMetadata,
  type ProblemError,
  ServiceError,
} from '@answer-evidence/contracts';
import { canonicalize, utf8 } from '@answer-evidence/encoding';
import { assertDepth, isLongerThan } from '@answer-evidence/preparation';

/** Checks byte sizes and depths, which a schema cannot. Throws `schema_violation`, `nesting_too_deep`. */
export function checkMetadata({ attributes, segments }: EvidenceMetadata): void {
  const errors: ProblemError[] = [];
  if (attributes !== undefined) {
    assertDepth(attributes, '/attributes');
    if (isLongerThan(canonicalize(attributes), EVIDENCE_ATTRIBUTES_BYTES_MAX)) {
      const detail = `must be at most ${EVIDENCE_ATTRIBUTES_BYTES_MAX} bytes in canonical form`;
      errors.push({ pointer: '/attributes', detail });
    }
  }
  const segmentBytes = (segments ?? []).reduce((sum, text) => sum + utf8(text).length, 0);
  if (segmentBytes > EVIDENCE_SEGMENTED_BYTES_MAX) {
    const detail = `must be at most ${EVIDENCE_SEGMENTED_BYTES_MAX} bytes of UTF-8 together`;
    errors.push({ pointer: '/segments', detail });
  }
  if (errors.length > 0) throw new ServiceError('schema_violation', 'the request is invalid', { errors });
}
