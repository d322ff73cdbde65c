import { formatTlogProof, signTree } from '@answer-evidence/note';
import type { Given } from '../../../conformance/run.mjs';
import { createSuiteKey, reseal, type World } from '../reseal.ts';
import { hashesOf, pathOf, rootOf } from '../trees.ts';
import { type Expected, give, type Open, type WholeCase } from './whole-case.ts';

/** The receipt of the record in the tree of the first `size` leaves. */
function receiptOf({ bundle, entries }: World, size: number, other: readonly string[] = entries): string {
  const hashes = hashesOf(other.slice(0, size));
  const { origin, record } = bundle;
  const checkpoint = signTree({ origin, size, root: rootOf(hashes) }, [createSuiteKey(origin, 1)]);
  return formatTlogProof({ index: record.leaf_index, hashes: pathOf(hashes, record.leaf_index), checkpoint });
}

type Receipt = readonly [name: string, receipt: string, withLog: boolean, outcome: string];

/** The caller's own receipt of a record, in trees of other sizes than the bundle's. */
export function listOwnReceipts(open: Open): readonly WholeCase[] {
  const world = reseal(open('plain'));
  // Two more leaves: the receipt is newer than the bundle.
  const grown = [...world.entries, ...world.entries.slice(-2)];
  const forked = world.entries.with(20, world.entries[21] ?? '');
  const newer = receiptOf({ ...world, entries: grown }, grown.length);
  const cases: readonly Receipt[] = [
    ['of the same tree', receiptOf(world, 79), false, 'PASS'],
    ['of another tree of that size', receiptOf(world, 79, forked), false, 'FAIL'],
    ['of a smaller tree', receiptOf(world, 40), false, 'SKIP'],
    ['of a smaller tree, with the log', receiptOf(world, 40), true, 'PASS'],
    ['of another smaller tree, with the log', receiptOf(world, 40, forked), true, 'FAIL'],
    ['of a larger tree', newer, false, 'SKIP'],
    ['of a larger tree, with the log', newer, true, 'SKIP'],
  ];
  return cases.map(([name, receipt, withLog, outcome]) => {
    const given = give(world, withLog);
    return {
      id: `own receipt: ${name}`,
      given: { ...given, files: { ...given.files, receipt } },
      expected: { outcomes: { receipt: outcome } },
    };
  });
}

/** The form of receipts: of a receipt that is not one, only the entry can be judged. */
export function listReceipts(open: Open): readonly WholeCase[] {
  const world = reseal(open('plain'));
  const { bundle } = world;
  const good = bundle.record.proof;
  const vkeys = bundle.log_keys.map(({ vkey }) => vkey);
  const forms: readonly (readonly [name: string, text: string, isRead: boolean])[] = [
    ['as it is', good, true],
    ['with an extra line', good.replace('\n', '\nextra YQ==\n'), true],
    ['with an extra line of nothing', good.replace('\n', '\nextra \n'), false],
    ['with an extra line that is not base64', good.replace('\n', '\nextra YQ\n'), false],
    ['with two extra lines', good.replace('\n', '\nextra YQ==\nextra YQ==\n'), false],
    ['with an extra line after the index', good.replace(/(\nindex \d+\n)/, '$1extra YQ==\n'), false],
    ['with another line in its head', good.replace('\n', '\nother a\n'), false],
    ['with a zero before its index', good.replace('\nindex ', '\nindex 0'), false],
    ['with a sign before its index', good.replace('\nindex ', '\nindex +'), false],
    ['without an index', good.replace(/\nindex \d+\n/, '\n'), false],
    ['of another version', good.replace('@v1', '@v2'), false],
    ['with carriage returns', good.replace('\n', '\r\n'), false],
    ['with a hash too many', good.replace('\n\n', `\n${'A'.repeat(43)}=\n\n`), true],
  ];
  return forms.map(([name, receipt, isRead]) => ({
    id: `receipt: ${name}`,
    given: { kind: 'receipt', files: { receipt, entry: bundle.record.entry }, vkeys } satisfies Given,
    expected: receiptOutcomes(name, isRead),
  }));
}

function receiptOutcomes(name: string, isRead: boolean): Expected {
  const inclusion = isRead && name !== 'with a hash too many' ? 'PASS' : 'FAIL';
  const signature = isRead ? 'PASS' : 'FAIL';
  return { outcomes: { leaf_entry: 'PASS', merkle_inclusion: inclusion, checkpoint_signature: signature } };
}
