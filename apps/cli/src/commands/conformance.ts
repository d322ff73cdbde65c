import type { Command } from 'commander';
import * as z from 'zod';
import { verifySignature } from '@answer-evidence/client';
import { CHECKS, type JsonValue, RECONCILIATION_CHECKS, trustFile } from '@answer-evidence/contracts';
import { formatHex, JsonError, parseBase64, parseJsonText } from '@answer-evidence/encoding';
import { NoteError } from '@answer-evidence/note';
import { parseReferenceLine, type Reference } from '@answer-evidence/reconciliation';
import { readPinnedCertificates, verifyTimestampOver } from '@answer-evidence/rfc3161';
import {
  assertReadablePins,
  BundleFormatError,
  UnreadablePinError,
  verifyBundle,
  verifyReceipt,
  verifyReconciliation,
  type VerifyTimestamp,
  viewLog,
} from '@answer-evidence/verify';
import type { Context } from '../context.ts';
import { readTextInput } from '../files.ts';
import { judgeFiles } from '../verify/judge-files.ts';

const conformanceCase = z.strictObject({
  kind: z.enum(['bundle', 'run', 'receipt', 'files']),
  files: z.record(z.string(), z.string()),
  vkeys: z.array(z.string()).optional(),
  /** The tiles of a copy of the log, in base64, by their paths. */
  log: z.record(z.string(), z.string()).optional(),
});
type Case = z.infer<typeof conformanceCase>;

/** The outcome of each check, or that the files cannot be judged: the trust file, the list or a key is none. */
type Verdict = { readonly outcomes: Readonly<Record<string, string>> } | { readonly refused: true };

/** `conformance`: judges the cases of the conformance suite, one per line of standard input. */
export function addConformanceCommand(program: Command, context: Context): void {
  program
    .command('conformance')
    .description('judge the cases of the conformance suite, one per line of standard input')
    .action(async () => {
      const material = createMaterial();
      const lines = (await readTextInput(context.io, '-')).split('\n').filter((line) => line !== '');
      for (const line of lines) {
        const verdict = await judge(material, conformanceCase.parse(JSON.parse(line)), context);
        context.io.stdout.write(`${JSON.stringify(verdict)}\n`);
      }
    });
}

/** What every case is verified with. Most changes leave the time-stamps as they are, so these are verified once. */
function createMaterial() {
  const verified = new Map<string, ReturnType<VerifyTimestamp>>();
  const verifyTimestamp: VerifyTimestamp = (response, digest, roots) => {
    const key = [formatHex(response), formatHex(digest), ...roots].join(' ');
    const result = verified.get(key) ?? verifyTimestampOver(response, digest, roots);
    verified.set(key, result);
    return result;
  };
  return { verifySignature, verifyTimestamp };
}
type Material = ReturnType<typeof createMaterial>;

async function judge(material: Material, one: Case, context: Context): Promise<Verdict> {
  try {
    return await JUDGES[one.kind](material, one, context);
  } catch (error) {
    if (error instanceof RefusedError || error instanceof NoteError) return { refused: true };
    throw error;
  }
}

type Judge = (material: Material, one: Case, context: Context) => Promise<Verdict>;

const JUDGES: Readonly<Record<Case['kind'], Judge>> = {
  async bundle(material, { files, log }) {
    const trust = readTrust(files);
    const receipt = files['receipt'] === undefined ? {} : { receipt: files['receipt'] };
    return judgeEvidence(CHECKS, async () => {
      const bundle = parseJsonText(files['bundle'] ?? '');
      return verifyBundle(bundle, trust, { ...material, ...receipt, ...openView(log, bundle) });
    });
  },
  async run(material, { files, log }) {
    const trust = readTrust(files);
    const references = readReferenceLines(files, 'references').map(readReferenceLine);
    const before = readReferenceLines(files, 'earlier_references').map(readReferenceLine);
    return judgeEvidence(RECONCILIATION_CHECKS, async () => {
      const proof = parseJsonText(files['proof'] ?? '');
      const earlier =
        files['earlier_proof'] === undefined
          ? []
          : [{ proof: parseJsonText(files['earlier_proof']), references: before }];
      const given = { references, records: readLines(files, 'records'), earlier };
      return verifyReconciliation(proof, given, trust, { ...material, ...openView(log, proof) });
    });
  },
  async receipt({ verifySignature: verify }, { files, vkeys = [] }) {
    const checks = await verifyReceipt(files['receipt'] ?? '', files['entry'] ?? '', vkeys, verify);
    return { outcomes: Object.fromEntries(checks.map(({ check, outcome }) => [check, outcome])) };
  },
  files: (_, { files, log }, context) => judgeFiles(files, log, context, readTrust(files)),
};

/** Evidence that cannot be read is evidence that fails in every check. */
async function judgeEvidence(
  names: readonly string[],
  verify: () => Promise<{ readonly checks: readonly { readonly check: string; readonly outcome: string }[] }>,
): Promise<Verdict> {
  try {
    const { checks } = await verify();
    return { outcomes: Object.fromEntries(checks.map(({ check, outcome }) => [check, outcome])) };
  } catch (error) {
    if (!(error instanceof JsonError) && !(error instanceof BundleFormatError)) throw error;
    return { outcomes: Object.fromEntries(names.map((name) => [name, 'FAIL'])) };
  }
}

function openView(log: Case['log'], of: JsonValue) {
  if (log === undefined) return {};
  const read = (path: string) => Promise.resolve(log[path] === undefined ? undefined : parseBase64(log[path]));
  return { log: viewLog(read, of) };
}

/** A case that cannot be judged, whatever its evidence is. */
class RefusedError extends Error {}

function readTrust(files: Case['files']) {
  const read = trustFile.safeParse(parseOrRefuse(files['trust'] ?? ''));
  if (!read.success) throw new RefusedError('this is no trust file');
  try {
    assertReadablePins(read.data, readPinnedCertificates);
  } catch (error) {
    if (error instanceof UnreadablePinError) throw new RefusedError(error.message);
    throw error;
  }
  return read.data;
}

function parseOrRefuse(text: string) {
  try {
    return parseJsonText(text);
  } catch (error) {
    if (error instanceof JsonError) throw new RefusedError(error.message);
    throw error;
  }
}

function readLines(files: Case['files'], name: string): readonly string[] {
  return (files[name] ?? '').split('\n').slice(0, -1);
}

/** The caller's list is its own to end: a last line without its line feed may be half a line. */
function readReferenceLines(files: Case['files'], name: string): readonly string[] {
  const references = files[name] ?? '';
  if (references !== '' && !references.endsWith('\n')) throw new RefusedError('the last line of the list is not ended');
  return readLines(files, name);
}

function readReferenceLine(line: string): Reference {
  try {
    return parseReferenceLine(line);
  } catch {
    throw new RefusedError('a line of the list is not that of a reference');
  }
}
