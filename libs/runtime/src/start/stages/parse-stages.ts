import { STAGE_NAMES, type StageName } from '../../ground/stage-names.ts';

const OPTION = '--stages';

/** The stages that arguments ask for, with the other arguments; a text says what is wrong with them. */
export function parseStages(
  args: readonly string[],
): { readonly stages: readonly StageName[]; readonly rest: readonly string[] } | string {
  const at = args.findIndex((arg) => arg === OPTION || arg.startsWith(`${OPTION}=`));
  const given = args[at];
  if (given === undefined) return { stages: STAGE_NAMES, rest: args };
  const hasValueBehind = given === OPTION;
  const list = hasValueBehind ? args[at + 1] : given.slice(OPTION.length + 1);
  const wanted = (list ?? '').split(',');
  const unknown = wanted.find((name) => !STAGE_NAMES.some((known) => known === name));
  if (unknown !== undefined || list === undefined)
    return `${OPTION} must be a list of ${STAGE_NAMES.join(', ')}, separated by commas, such as ${OPTION} workspace,ingest`;
  return {
    stages: STAGE_NAMES.filter((name) => wanted.includes(name)),
    rest: args.toSpliced(at, hasValueBehind ? 2 : 1),
  };
}
