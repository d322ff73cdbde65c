import { readFile, writeFile } from 'node:fs/promises';
import { layOut } from '../format/lay-out.ts';
import type { Fault } from './fault.ts';

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

const HEAD = [
  '| fault | acknowledged | lost | doubled | ledger check | longest gap, s | creates back, s | work back, s | holds |',
  '| --- | ---: | ---: | ---: | --- | ---: | ---: | ---: | --- |',
];

/** Puts a whole table into the page between the marks of this name. */
export async function writeTable(path: string, name: string, lines: readonly string[]): Promise<void> {
  const [begin, end] = [`<!-- ${name}: begin -->`, `<!-- ${name}: end -->`];
  const [before = '', rest = ''] = (await readFile(path, 'utf8')).split(begin);
  const after = rest.split(end)[1] ?? '';
  await writeFile(path, await layOut(path, `${before}${begin}\n\n${lines.join('\n')}\n\n${end}${after}`));
}

/** The rows of the page, by the names of their faults. */
export async function readRows(path: string): Promise<ReadonlyMap<string, string>> {
  const [, rest = ''] = (await readFile(path, 'utf8')).split('<!-- faults: begin -->');
  const [table = ''] = rest.split('<!-- faults: end -->');
  return new Map(
    table
      .split('\n')
      .filter((line) => line.startsWith('|'))
      .slice(2)
      .map((line) => [line.split('|')[1]?.trim() ?? '', line]),
  );
}

/** Puts rows into the page between its marks: in the place of older ones of the same faults, in the given order. */
export async function writeRows(path: string, rows: ReadonlyMap<string, string>, order: readonly string[]) {
  const known = new Map([...(await readRows(path)), ...rows]);
  await writeTable(path, 'faults', [...HEAD, ...order.flatMap((name) => known.get(name) ?? [])]);
}
