import type { Command } from 'commander';
import { type AnyBundle, anyBundle, type BundleRenewal, isTokenAnchor } from '@answer-evidence/contracts';
import { parseBase64 } from '@answer-evidence/encoding';
import { encodeArchiveChains } from '@answer-evidence/merkle';
import { NoteError, parseNote } from '@answer-evidence/note';
import { extractToken, formatEvidenceRecord, TimestampError } from '@answer-evidence/rfc3161';
import { beginChain, extendChain, findCovering } from '@answer-evidence/verify';
import type { Context } from '../context.ts';
import { readJsonInput, writeOutput } from '../files.ts';
import { UsageError } from '../usage-error.ts';

type Options = { readonly anchor?: string; readonly out: string; readonly data: string };

/** `trust evidence-record`: an RFC 4998 evidence record of the time-stamps in a bundle, offline. */
export function addEvidenceRecordCommand(trust: Command, context: Context): void {
  trust
    .command('evidence-record')
    .description('write the time-stamps of a bundle, with their renewals, as an RFC 4998 evidence record')
    .argument('<bundle>', 'proof bundle file, or -')
    .option('--anchor <id>', 'the anchor whose token comes first; default: the first with one')
    .requiredOption('--out <file>', 'write the evidence record (DER) to this file')
    .requiredOption('--data <file>', 'write what it is over, the text of the checkpoint, to this file')
    .action(async (path: string, { anchor, out, data }: Options) => {
      const read = anyBundle.safeParse(await readJsonInput(context.io, path));
      if (!read.success) throw new UsageError(`${path}: not a proof bundle`);
      const { record, text, renewals } = makeRecord(path, read.data, anchor);
      await writeOutput(context.io, out, record);
      await writeOutput(context.io, data, text);
      context.note(`Wrote an evidence record with ${renewals} renewals to ${out}, and its data to ${data}.`);
    });
}

function makeRecord(path: string, { anchors, renewals = [], checkpoint }: AnyBundle, anchorId?: string) {
  const token = anchors.find((one) => isTokenAnchor(one) && (anchorId ?? one.anchor_id) === one.anchor_id);
  if (token === undefined)
    throw new UsageError(`${path}: has no time-stamp${anchorId === undefined ? '' : ` by ${anchorId}`}`);
  try {
    const { text } = parseNote(checkpoint);
    const { chains, lists } = readChain(renewals, text, parseBase64(token.artefact));
    const parts = { sequence: encodeArchiveChains(chains), isRehashed: chains.length > 1, lists };
    return { record: formatEvidenceRecord(parts), text, renewals: chains.flat().length - 1 };
  } catch (error) {
    if (error instanceof TimestampError || error instanceof NoteError || isEncodingError(error))
      throw new UsageError(`${path}: its time-stamps cannot be read; verify it first`);
    throw error;
  }
}

function isEncodingError(error: unknown): boolean {
  return error instanceof Error && error.name === 'EncodingError';
}

/** The chain from a token on, as a verifier follows it; nothing is verified here. */
function readChain(renewals: readonly BundleRenewal[], text: string, first: Uint8Array) {
  const lists: Uint8Array[] = [];
  let chain = beginChain(text, extractToken(first));
  for (let found = findCovering(renewals, 0, chain); found; found = findCovering(renewals, found.index + 1, chain)) {
    lists.push(...found.renewal.revocation_lists.map(({ list }) => parseBase64(list)));
    chain = extendChain(chain, found, extractToken(parseBase64(found.renewal.artefact)));
  }
  return { chains: chain.chains, lists };
}
