import type { JsonValue } from '@answer-evidence/contracts';
import { parseCheckpoint, parseNote, parseTlogProof } from '@answer-evidence/note';

/** How many files of each kind were given together. */
type Counts = { readonly bundles: number; readonly packs: number; readonly receipts: number };

/** Receipts for the records that are verified, and which of them were used. */
export type ChosenReceipts = {
  /** The receipt of a bundle's record, if it was given. */
  findFor(bundle: JsonValue): string | undefined;
  /** The names of those that were found. */
  readonly used: ReadonlySet<string>;
};

/** Whether the one receipt that was given is taken for that of the one bundle beside it, so that another one fails. */
export function isReceiptOfBundle({ bundles, packs, receipts }: Counts): boolean {
  return bundles === 1 && packs === 0 && receipts === 1;
}

/**
 * Which receipt belongs to which bundle (`docs/formats/checks.md`). The one beside one bundle is that of its record. Of
 * several, each belongs to the record of its log whose leaf it names.
 */
export function chooseReceipts(
  receipts: readonly { readonly name: string; readonly receipt: string }[],
  isPair: boolean,
): ChosenReceipts {
  const used = new Set<string>();
  return {
    used,
    findFor(bundle) {
      const found = receipts.find(({ receipt }) => isPair || isOf(receipt, bundle));
      if (found !== undefined) used.add(found.name);
      return found?.receipt;
    },
  };
}

function isOf(text: string, bundle: JsonValue): boolean {
  try {
    const { origin, record } = bundle as unknown as BundleShape;
    const { index, checkpoint } = parseTlogProof(text);
    return index === record?.leaf_index && parseCheckpoint(parseNote(checkpoint).text).origin === origin;
  } catch {
    return false;
  }
}

type BundleShape = { readonly origin?: unknown; readonly record?: { readonly leaf_index?: unknown } };
