import { type CreateEvidenceRequest, type EvidenceMetadata, ServiceError } from '@answer-evidence/contracts';
import { EncodingError, parseBase64 } from '@answer-evidence/encoding';
import type { UploadedFile } from '@answer-evidence/routes';
import type { AssetSubmission } from '../../prepare/register-asset.ts';

/** What was sent, without what it is about. */
export type SubmittedSource = Pick<AssetSubmission, 'metadata' | 'content' | 'externalUri'>;

/** A create in JSON with its content as bytes. */
type DigestedSource = Omit<CreateEvidenceRequest, 'content_base64'> & { readonly bytes: Uint8Array | null };

/** Decodes the content. Throws `schema_violation` for what is no base64, `content_empty` for nothing in it. */
export function digestJson({ content_base64: base64, ...rest }: CreateEvidenceRequest): DigestedSource {
  return { ...rest, bytes: base64 === undefined ? null : decode(base64) };
}

/** A create in JSON. */
export function fromJson({ bytes, external_uri: uri, ...metadata }: DigestedSource): SubmittedSource {
  return {
    metadata,
    content: bytes === null ? null : { bytes: oncePiece(bytes), fileName: undefined, contentType: undefined },
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
