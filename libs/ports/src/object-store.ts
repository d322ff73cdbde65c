import { uuid } from '@answer-evidence/contracts';

/**
 * Where an object lies: `<workspace id>/<last two hex digits of the content id>/<content id>`. Made of ids of the
 * service's own only, so it is a safe path and a safe key; the middle part spreads the objects of a workspace over 256
 * folders. It is not made of the hash of the content: anyone who can list the bucket could tell which known files a
 * tenant stores. The row that names an object decides, and a sweep deletes an object that no row names.
 */
export type ObjectName = string & { readonly objectName: never };

/** The name of a content's object. Throws `RangeError` when one of the two is no id in canonical form. */
export function formatObjectName(workspaceId: string, contentId: string): ObjectName {
  if (!isUuid(workspaceId) || !isUuid(contentId)) throw new RangeError('an object is named by two ids');
  return `${workspaceId}/${contentId.slice(-2)}/${contentId}` as ObjectName;
}

/** The name that a text is, with its parts; undefined when the service makes no such name. */
export function parseObjectName(
  text: string,
): { readonly name: ObjectName; readonly workspaceId: string; readonly contentId: string } | undefined {
  const [workspaceId = '', , contentId = ''] = text.split('/');
  if (!isUuid(workspaceId) || !isUuid(contentId)) return undefined;
  const name = formatObjectName(workspaceId, contentId);
  return name === text ? { name, workspaceId, contentId } : undefined;
}

function isUuid(text: string): boolean {
  return uuid.safeParse(text).success;
}

/** Part of an object: `length` bytes from `offset` on, both whole and not negative. */
export type ByteRange = { readonly offset: number; readonly length: number };

/** An object as the store knows it. */
export type StoredObject = {
  readonly name: ObjectName;
  readonly sizeBytes: number;
  /** When it became visible, or its writing began: microseconds since 1970 by the store's clock, to 1 s at least. */
  readonly storedAtMicros: number;
};

/**
 * Bytes too large for the database. An object is written once under a fresh name and never changed. Memory is constant
 * whatever its size.
 *
 * Every method, and every step of an iteration, rejects with `ServiceError` `object_store_unavailable` when the store
 * does not answer, refuses, or has no space.
 */
export interface ObjectStore {
  /**
   * Stores what the source yields and returns its size. The object is visible, and durable, when this returns and not
   * before; never in part. When the source throws, its error is passed on as it is and nothing is left; so with
   * `body_too_large` for more than one object can hold. A crash leaves at most an object that nobody knows, or remains
   * that `deleteRemains` finds. Names are used once: what a second writing does is not defined.
   */
  put(name: ObjectName, content: AsyncIterable<Uint8Array>): Promise<number>;
  /**
   * The bytes of an object, or of a range of it without the rest being read; what lies past the end is left out.
   * Nothing is opened until the first step, and an iteration that is given up (`return`) closes everything. Throws
   * `ObjectMissingError` at the first step.
   */
  read(name: ObjectName, range?: ByteRange): AsyncIterable<Uint8Array>;
  find(name: ObjectName): Promise<StoredObject | undefined>;
  /** Durable when it returns. Deleting what is not there is done. */
  delete(name: ObjectName): Promise<void>;
  /**
   * Every object, or those of a workspace, in order of their names, starting after `after`. Objects that are stored or
   * deleted meanwhile may or may not be included. Foreign objects in the same place are skipped.
   */
  list(options?: { readonly workspaceId?: string; readonly after?: ObjectName }): AsyncIterable<StoredObject>;
  /** Removes what writings left that never came to their end and began before that time. Returns how many. */
  deleteRemains(beforeMicros: number): Promise<number>;
}

/** There is no object of that name. */
export class ObjectMissingError extends Error {
  override readonly name = 'ObjectMissingError';
}
