import { ANCHOR_TYPES, type AnchorType } from '@answer-evidence/contracts';

/** An anchor as a form has it: of a known type, its other members as they were typed. */
export type AnchorDraft = { readonly id: string; readonly type: AnchorType } & Readonly<Record<string, unknown>>;

type FieldOf = { readonly name: string; readonly isLong?: true; readonly isNumber?: true };

/** What the form of each type asks for. */
export const ANCHOR_FIELDS: Readonly<Record<AnchorType, readonly FieldOf[]>> = {
  rfc3161: [{ name: 'id' }, { name: 'url' }, { name: 'certificate_pem', isLong: true }],
  'object-lock': [
    ...[{ name: 'id' }, { name: 'url' }, { name: 'bucket' }, { name: 'region' }, { name: 'prefix' }],
    ...[{ name: 'retention_days', isNumber: true } as const, { name: 'access_key_id' }, { name: 'secret_access_key' }],
  ],
  file: [{ name: 'id' }],
};

/** The anchors of a text in JSON; undefined for one that no form can show. */
export function readAnchorDrafts(text: string): readonly AnchorDraft[] | undefined {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return undefined;
  }
  return Array.isArray(parsed) && parsed.every(isDraft) ? parsed : undefined;
}

/** The same as the text that the policy is judged by. */
export function formatAnchorDrafts(anchors: readonly AnchorDraft[]): string {
  return JSON.stringify(anchors, null, 2);
}

function isDraft(value: unknown): value is AnchorDraft {
  if (typeof value !== 'object' || value === null) return false;
  const { id, type } = value as { readonly id?: unknown; readonly type?: unknown };
  return typeof id === 'string' && typeof type === 'string' && Object.hasOwn(ANCHOR_TYPES, type);
}
