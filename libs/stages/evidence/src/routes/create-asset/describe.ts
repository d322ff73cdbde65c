import {
  createdEvidenceAsset,
  createEvidenceRequest,
  EVIDENCE_BODY_BYTES_MAX,
  evidenceMetadata,
} from '@answer-evidence/contracts';
import { digestJson } from './submission.ts';

/** Larger than any settings can allow: what counts are the settings, which are looked at while the file streams. */
const FILE_BYTES_MAX = 5 * 1024 ** 4;
/** Segments of a caller's own may come along with a file. */
const METADATA_BYTES_MAX = 4 * 1024 * 1024;

/** What all routes that make an asset have in common. */
export const CREATE_BODY = {
  rateLimit: 'create',
  body: createEvidenceRequest,
  bodyBytesMax: EVIDENCE_BODY_BYTES_MAX,
  digest: digestJson,
} as const;

/** What they have in common about forms. */
export const CREATE_FORM = {
  metadata: evidenceMetadata,
  fileBytesMax: FILE_BYTES_MAX,
  metadataBytesMax: METADATA_BYTES_MAX,
} as const;

/** What they answer. */
export const CREATE_RESPONSES = {
  201: {
    description: 'The new asset, or with Idempotency-Replayed the one created earlier with this key',
    schema: createdEvidenceAsset,
    headers: {
      Location: 'Path of the asset',
      'Idempotency-Replayed': '`true` when an earlier request with this key created the asset',
    },
  },
  409: { description: 'The idempotency key was used with another payload' },
} as const;
