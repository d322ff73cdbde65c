import type { Command } from 'commander';
import { type AnyBundle, anyBundle, type BundleRenewal, isTokenAnchor } from '@answer-evidence/contracts';
import { formatHex, parseBase64, parseHex } from '@answer-evidence/encoding';
import { NoteError, parseNote } from '@answer-evidence/note';
import { type ChainedTimestamp, formatEvidenceRecord, hashToken, TimestampError } from '@answer-evidence/rfc3161';
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
      const { record, text, renewals } = await makeRecord(path, read.data, anchor);
      await writeOutput(context.io, out, record);
      await writeOutput(context.io, data, text);
      context.note(`Wrote an evidence record with ${renewals} renewals to ${out}, and its data to ${data}.`);
    });
}

async function makeRecord(path: string, { anchors, renewals = [], checkpoint }: AnyBundle, anchorId?: string) {
  const token = anchors.find((one) => isTokenAnchor(one) && (anchorId ?? one.anchor_id) === one.anchor_id);
  if (token === undefined)
    throw new UsageError(`${path}: has no time-stamp${anchorId === undefined ? '' : ` by ${anchorId}`}`);
  try {
    const first = parseBase64(token.artefact);
    const { chain, lists } = await readChain(renewals, await hashToken(first));
    const record = formatEvidenceRecord({ first, renewals: chain, lists });
    return { record, text: parseNote(checkpoint).text, renewals: chain.length };
  } catch (error) {
    if (error instanceof TimestampError || error instanceof NoteError || isEncodingError(error))
      throw new UsageError(`${path}: its time-stamps cannot be read; verify it first`);
    throw error;
  }
}

function isEncodingError(error: unknown): boolean {
  return error instanceof Error && error.name === 'EncodingError';
}

/** The renewals from a token on, as a verifier follows them; none is verified here. */
async function readChain(renewals: readonly BundleRenewal[], token: Uint8Array) {
  const chain: ChainedTimestamp[] = [];
  const lists: Uint8Array[] = [];
  let last = token;
  for (const renewal of renewals) {
    const hash = formatHex(last);
    const path = renewal.paths.find(([group]) => group?.includes(hash) === true);
    if (path === undefined) continue;
    const response = parseBase64(renewal.artefact);
    chain.push({ response, path: path.map((group) => group.map((one) => parseHex(one))) });
    lists.push(...renewal.revocation_lists.map(({ list }) => parseBase64(list)));
    last = await hashToken(response);
  }
  return { chain, lists };
}
