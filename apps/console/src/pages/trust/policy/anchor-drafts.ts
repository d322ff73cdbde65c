import { ANCHOR_TYPES, type AnchorType } from '@answer-evidence/contracts';

/** An anchor as a form has it: of a known type, its other members as they were typed. */
export type AnchorDraft = { readonly id: string; readonly type: AnchorType } & Readonly<Record<string, unknown>>;

type FieldOf = { readonly name: string; readonly isLong?: true; readonly isNumber?: true };

type Member = { safeParse(value: unknown): { readonly success: boolean } };

/** What the form of a type asks for: what a manager sends of it, but what every form has. */
export function fieldsOf(type: AnchorType): readonly FieldOf[] {
  const members: Readonly<Record<string, Member>> = ANCHOR_TYPES[type].request.shape;
  return Object.entries(members)
    .filter(([name]) => name !== 'type' && name !== 'required')
    .map(([name, member]) => ({
      name,
      ...(name.endsWith('_pem') || name === 'log_keys' ? { isLong: true } : {}),
      ...(member.safeParse(1).success ? { isNumber: true } : {}),
    }));
}

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
