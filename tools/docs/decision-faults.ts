/** What comes before the context of a decision: number and title, then one paragraph each for the three lines. */
const FORM = /^# \d{4}\. .+\n\nDate: (.+)\n\nStatus: (.+)\n\nBinds: ([^]+?)\n\n## Context\n[^]+\n## Decision\n/;
const STATUS = /^(?:accepted(?:; .+)?|(?:superseded|replaced) by \[.+\]\(.+\))$/;
/** As they stand in the line: code spans, separated by commas and line breaks. */
const BOUND = /^`[^`\n]+`(?:,\s`[^`\n]+`)*$/;

/** What is wrong with the form of a decision, whose `Binds` names files and folders among `paths`, as from the root. */
export function findDecisionFaults(page: string, paths: ReadonlySet<string>): readonly string[] {
  const [, date = '', status = '', binds = ''] = FORM.exec(page) ?? [];
  if (date === '') return ['needs a title, Date, Status, Binds, a Context and a Decision, in this order'];
  const faults: string[] = [];
  if (!isDay(date)) faults.push(`Date: must be a day such as 2026-11-28, not ${date}`);
  if (!STATUS.test(status)) faults.push(`Status: must be accepted, or replaced by a page, not ${status}`);
  if (!BOUND.test(binds)) faults.push('Binds: must be paths as code spans, separated by commas');
  const bound = pathsOf(binds);
  for (const path of bound) if (!paths.has(path)) faults.push(`Binds: ${path} is not there`);
  if (new Set(bound).size < bound.length) faults.push('Binds: names a path twice');
  return faults;
}

/** Whether a decision binds a file: it names the file, or a folder that the file is in. */
export function isBoundBy(page: string, file: string): boolean {
  return pathsOf(FORM.exec(page)?.[3] ?? '').some((path) => file === path || file.startsWith(`${path}/`));
}

function pathsOf(binds: string): readonly string[] {
  return [...binds.matchAll(/`([^`]+)`/g)].map(([, path = '']) => path);
}

function isDay(text: string): boolean {
  const time = Date.parse(`${text}T00:00:00Z`);
  return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}
