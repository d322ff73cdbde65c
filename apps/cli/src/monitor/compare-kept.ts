import { compareCreated, compareShown } from '@answer-evidence/client';
import { hashCore } from '@answer-evidence/commitments';
import {
  answerRecord,
  createRecordRequest,
  ENTRY_TYPES,
  type JsonObject,
  type JsonValue,
} from '@answer-evidence/contracts';
import { asObject, parseJsonText, readOr } from '@answer-evidence/encoding';

/**
 * Why a kept response is not about what its entry is about, or not about the request kept beside it; undefined where
 * both agree. A receipt proves its entry only, so this is what ties it to the answer.
 */
export function findOtherObject(
  response: JsonObject,
  entry: string,
  request: JsonValue | undefined,
): string | undefined {
  const record = answerRecord.safeParse(response);
  if (record.success) {
    const sent = request === undefined ? undefined : createRecordRequest.safeParse(request);
    if (sent?.success === false) return 'the request kept beside it is not the body of a create';
    const differences = sent === undefined ? compareShown(record.data) : compareKept(sent.data, record.data);
    return say(differences, request === undefined ? 'its own entry or texts' : 'the request kept beside it');
  }
  const { id, subject } = readEntry(entry);
  const { id: own } = response;
  if (own !== undefined && own !== id && own !== subject) return say(['/id'], 'its own entry');
  return undefined;
}

/** Why the core of a leaf in a bundle is not the one that its entry commits to; undefined where it is. */
export function findOtherCore(core: JsonValue | undefined, entry: string): string | undefined {
  if (core === undefined) return undefined;
  const { type: named, hash } = readEntry(entry);
  const type = ENTRY_TYPES.find((known) => known === named);
  if (type === undefined) return undefined;
  return readOr(() => hashCore(type, core) === hash, false) ? undefined : say(['/core'], 'its own entry');
}

type Sent = Parameters<typeof compareCreated>[0];
type Shown = Parameters<typeof compareCreated>[1];

/** A create without a key of its own got a random one, which the request as it was kept does not have. */
function compareKept(sent: Sent, record: Shown): readonly string[] {
  const key = sent.idempotency_key ?? record.idempotency_key;
  return compareCreated({ ...sent, ...(key === null ? {} : { idempotency_key: key }) }, record);
}

function say(differences: readonly string[], what: string): string | undefined {
  if (differences.length === 0) return undefined;
  return `it is not about ${what}: ${[...new Set(differences)].join(', ')} ${differences.length === 1 ? 'differs' : 'differ'}`;
}

function readEntry(text: string): JsonObject {
  return asObject(readOr(() => parseJsonText(text), undefined));
}
