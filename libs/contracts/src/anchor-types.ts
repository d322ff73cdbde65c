import * as z from 'zod';

/** What is known of a type of anchor. */
type AnchorFacts = {
  /** Whether it is with an outside party; a file of the service's own machine is not. */
  readonly isExternal: boolean;
  /**
   * What confirms a checkpoint there: a `token` that states a time and leads to pinned certificates, which anyone
   * verifies; or a `copy`, which only the service can read back.
   */
  readonly artefact: 'token' | 'copy';
  /** The member of its configuration that is stored sealed, and is never shown. */
  readonly secret: 'secret_access_key' | null;
};

/** The types of anchors. Code asks this table what a type is like, and no type by its name. */
export const ANCHOR_TYPES = {
  rfc3161: { isExternal: true, artefact: 'token', secret: null },
  'object-lock': { isExternal: true, artefact: 'copy', secret: 'secret_access_key' },
  file: { isExternal: false, artefact: 'copy', secret: null },
} as const satisfies Readonly<Record<string, AnchorFacts>>;

export type AnchorType = keyof typeof ANCHOR_TYPES;

const names = Object.keys(ANCHOR_TYPES) as [AnchorType, ...AnchorType[]];

/** The name of a type of anchors. */
export const anchorType = z.enum(names);

/** The types whose artefact is a token. */
export const TOKEN_ANCHORS: readonly AnchorType[] = names.filter((name) => ANCHOR_TYPES[name].artefact === 'token');

/** Whether tokens of this anchor vouch for a time, and lead to certificates. */
export function isTokenAnchor({ type }: { readonly type: AnchorType }): boolean {
  return TOKEN_ANCHORS.includes(type);
}

type Local = {
  [Name in AnchorType]: (typeof ANCHOR_TYPES)[Name]['isExternal'] extends true ? never : Name;
}[AnchorType];

/** Whether an anchor is with an outside party. */
export function isExternalAnchor<Anchor extends { readonly type: AnchorType }>(
  anchor: Anchor,
): anchor is Exclude<Anchor, { readonly type: Local }> {
  return ANCHOR_TYPES[anchor.type].isExternal;
}
