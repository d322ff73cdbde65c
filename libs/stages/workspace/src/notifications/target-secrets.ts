import * as z from 'zod';
import { formatBase64, parseBase64, parseJsonText } from '@answer-evidence/encoding';
import type { Workspace } from '@answer-evidence/ports';
import type { TargetRow } from '@answer-evidence/tables';

/**
 * Where a target is, and the keys that sign for it, the newest first. `until`: when an earlier one ends (µs). A target
 * of mail has no keys, and before its address is confirmed the SHA-256 of the code that was sent there.
 */
export type TargetSecrets = {
  readonly url: string;
  readonly keys: readonly { readonly key: Uint8Array; readonly until: number | null }[];
  readonly code?: PendingCode | undefined;
};

/** A code that an address is confirmed by until a time (µs). */
export type PendingCode = { readonly sha256: string; readonly until: number };

const stored = z.strictObject({
  url: z.string(),
  keys: z.array(z.strictObject({ key: z.string(), until: z.int().nullable() })),
  code: z.strictObject({ sha256: z.string(), until: z.int() }).optional(),
});

type SealedColumns = Pick<TargetRow, 'object_id' | 'wrapped_key' | 'sealed'>;

/** Seals them under a key of their own, made for the entry that brings them. */
export function sealTarget(
  { vault }: Workspace,
  entryId: string,
  targetId: string,
  { url, keys, code }: TargetSecrets,
): SealedColumns {
  const text = JSON.stringify({ url, keys: keys.map(({ key, until }) => ({ key: formatBase64(key), until })), code });
  const key = vault.createObjectKey(entryId);
  return { object_id: entryId, wrapped_key: key.wrapped, sealed: key.seal(fieldOf(targetId), text) };
}

/** Opens them. Throws `VaultError` when anything was altered. */
export function openTarget({ vault }: Workspace, row: TargetRow): TargetSecrets {
  const text = vault.openObjectKey(row.object_id, row.wrapped_key).open(fieldOf(row.id), row.sealed);
  const { url, keys, code } = stored.parse(parseJsonText(text));
  return { url, code, keys: keys.map(({ key, until }) => ({ key: parseBase64(key), until })) };
}

function fieldOf(targetId: string): string {
  return `notification-target/${targetId}`;
}
