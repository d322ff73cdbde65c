import { readFile, writeFile } from 'node:fs/promises';
import { layOut } from '../format/lay-out.ts';
import type { Fault } from './faults.ts';

/** What one fault came to; times in seconds, undefined where something did not come back in time. */
export type Row = {
  readonly fault: Fault;
  readonly acknowledged: number;
  readonly lost: number;
  readonly doubled: number;
  readonly ledgerCheck: string;
  readonly longestGap: number;
  readonly createsBack: number | undefined;
  readonly workBack: number | undefined;
};

/** What of a row breaks its bounds, in words; nothing where all holds. */
export function findBreaches({ createsBack, doubled, fault, ledgerCheck, longestGap, lost, workBack }: Row): string {
  const { bounds } = fault;
  const breaches = [
    ...(lost > 0 ? ['lost'] : []),
    ...(doubled > 0 ? ['doubled'] : []),
    ...(ledgerCheck === 'PASS' ? [] : ['ledger check']),
    ...(createsBack !== undefined && createsBack <= bounds.createsBack ? [] : [`creates > ${bounds.createsBack} s`]),
    ...(workBack !== undefined && workBack <= bounds.workBack ? [] : [`work > ${bounds.workBack} s`]),
    ...(bounds.stall === undefined || longestGap <= bounds.stall ? [] : [`stall > ${bounds.stall} s`]),
  ];
  return breaches.join(', ');
}

/** A row of the table. */
export function formatRow(row: Row): string {
  const breaches = findBreaches(row);
  const cells = [
    row.fault.name,
    row.acknowledged,
    row.lost,
    row.doubled,
    row.ledgerCheck,
    row.longestGap.toFixed(1),
    row.createsBack?.toFixed(1) ?? 'never',
    row.workBack?.toFixed(1) ?? 'never',
    breaches === '' ? 'yes' : `**no: ${breaches}**`,
  ];
  return `| ${cells.join(' | ')} |`;
}

const BEGIN = '<!-- faults: begin -->';
const END = '<!-- faults: end -->';
const HEAD = [
  '| fault | acknowledged | lost | doubled | ledger check | longest gap, s | creates back, s | work back, s | holds |',
  '| --- | ---: | ---: | ---: | --- | ---: | ---: | ---: | --- |',
];

/** Puts rows into the page between its marks: in the place of older ones of the same faults, in the given order. */
export async function writeRows(path: string, rows: ReadonlyMap<string, string>, order: readonly string[]) {
  const page = await readFile(path, 'utf8');
  const [before = '', rest = ''] = page.split(BEGIN);
  const [old = '', after = ''] = rest.split(END);
  const known = new Map(
    old
      .split('\n')
      .filter((line) => line.startsWith('|'))
      .slice(2)
      .map((line) => [line.split('|')[1]?.trim() ?? '', line]),
  );
  for (const [name, line] of rows) known.set(name, line);
  const lines = order.flatMap((name) => known.get(name) ?? []);
  await writeFile(path, await layOut(path, `${before}${BEGIN}\n\n${[...HEAD, ...lines].join('\n')}\n\n${END}${after}`));
}
