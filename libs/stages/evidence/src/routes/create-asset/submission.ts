import { type CreateEvidenceRequest, type EvidenceMetadata, ServiceError } from '@answer-evidence/contracts';
import { EncodingError, parseBase64 } from '@answer-evidence/encoding';
import type { UploadedFile } from '@answer-evidence/routes';
import type { AssetSubmission } from '../../prepare/register-asset.ts';

/** What was sent, without what it is about. */
export type SubmittedSource = Pick<AssetSubmission, 'metadata' | 'content' | 'externalUri'>;

/** A create in JSON. Throws `schema_violation` for what is no base64, `content_empty` for nothing in it. */
export function fromJson({
  content_base64: base64,
  external_uri: uri,
  ...metadata
}: CreateEvidenceRequest): SubmittedSource {
  return {
    metadata,
    content:
      base64 === undefined ? null : { bytes: oncePiece(decode(base64)), fileName: undefined, contentType: undefined },
    externalUri: uri ?? null,
  };
}

/** A create as a form with a file. */
export function fromForm(metadata: EvidenceMetadata, file: UploadedFile): SubmittedSource {
  return {
    metadata,
    content: { bytes: file.bytes, fileName: file.name, contentType: file.contentType },
    externalUri: null,
  };
}

function decode(base64: string): Uint8Array {
  let bytes: Uint8Array;
  try {
    bytes = parseBase64(base64);
  } catch (error) {
    if (!(error instanceof EncodingError)) throw error;
    const errors = [{ pointer: '/content_base64', detail: 'must be canonical base64 with padding' }];
    throw new ServiceError('schema_violation', 'the request is invalid', { errors });
  }
  if (bytes.length > 0) return bytes;
  const errors = [{ pointer: '/content_base64', detail: 'must have at least one byte' }];
  throw new ServiceError('content_empty', 'the content is empty', { errors });
}

async function* oncePiece(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(bytes);
}
