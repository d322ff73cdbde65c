/** A witness of a policy in which they stand side by side: the words of its line. */
export type WitnessRow = { readonly name: string; readonly vkey: string; readonly url: string };

/** How many of the witnesses must cosign: nobody is asked, any one, each, or a number. */
export type Quorum = 'none' | 'any' | 'all' | number;

/** A policy of witnesses that stand side by side. */
export type WitnessRows = { readonly rows: readonly WitnessRow[]; readonly quorum: Quorum };

const GROUP = 'witnesses';

/**
 * The witnesses of a policy text (C2SP tlog-policy); undefined for one that says more than a form can: groups of
 * groups, witnesses outside of the quorum, comments, logs.
 */
export function readWitnessRows(text: string): WitnessRows | undefined {
  const lines = text
    .split('\n')
    .map((line) => line.split(/[ \t]+/).filter((word) => word !== ''))
    .filter((words) => words.length > 0);
  const rows: WitnessRow[] = [];
  let group: { readonly name: string; readonly threshold: string } | undefined;
  let quorum: string | undefined;
  for (const [keyword, ...words] of lines) {
    const [first = '', second = '', third = '', ...rest] = words;
    if (keyword === 'witness' && group === undefined && words.length >= 2 && rest.length === 0)
      rows.push({ name: first, vkey: second, url: third });
    else if (keyword === 'group' && group === undefined && isEvery(words.slice(2), rows))
      group = { name: first, threshold: second };
    else if (keyword === 'quorum' && quorum === undefined && words.length === 1) quorum = first;
    else return undefined;
  }
  if (quorum === undefined) return undefined;
  if (quorum === 'none') return group === undefined ? { rows, quorum: 'none' } : undefined;
  if (group?.name === quorum) {
    const { threshold } = group;
    if (threshold === 'all' || threshold === 'any') return { rows, quorum: threshold };
    return /^[1-9]\d{0,3}$/.test(threshold) ? { rows, quorum: Number(threshold) } : undefined;
  }
  return group === undefined && rows.length === 1 && rows[0]?.name === quorum ? { rows, quorum: 'all' } : undefined;
}

/** The policy text of these witnesses, in one form. */
export function formatWitnessRows({ rows, quorum }: WitnessRows): string {
  const witnesses = rows.map(({ name, vkey, url }) => `witness ${name} ${vkey} ${url}`.trimEnd());
  const isAsked = quorum !== 'none' && rows.length > 0;
  return [
    ...witnesses,
    ...(isAsked ? [`group ${GROUP} ${quorum} ${rows.map(({ name }) => name).join(' ')}`] : []),
    `quorum ${isAsked ? GROUP : 'none'}`,
    '',
  ].join('\n');
}

/** Most of them: one party that lies or is unavailable decides nothing alone. Of two, both are needed. */
export function defaultQuorum(count: number): Quorum {
  if (count === 0) return 'none';
  return count <= 2 ? 'all' : Math.floor(count / 2) + 1;
}

function isEvery(names: readonly string[], rows: readonly WitnessRow[]): boolean {
  return names.length === rows.length && rows.every(({ name }) => names.includes(name));
}
