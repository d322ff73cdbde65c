import { type Command, Option } from 'commander';
import { REVEAL_REASON_CODES, type RevealRequest, revealRequest } from '@answer-evidence/contracts';
import { parseWith } from './issues.ts';
import { UsageError } from './usage-error.ts';

/** Why somebody reads texts, as options give it. */
export type ReasonOptions = { readonly reason?: string; readonly reasonCode?: string };

/** Adds the options by which a command that shows texts says why. */
export function addReasonOptions(command: Command): Command {
  return command
    .option('--reason <words>', 'why you read the texts: the log keeps it for ever; some workspaces demand it')
    .addOption(new Option('--reason-code <code>', 'what kind of reason it is').choices(REVEAL_REASON_CODES));
}

/** The reason that the options give; undefined where they give none. Throws `UsageError` for a code without words. */
export function reasonOf({ reason, reasonCode }: ReasonOptions): RevealRequest | undefined {
  if (reason !== undefined) return parseWith(revealRequest, { reason_code: reasonCode ?? 'other', reason });
  if (reasonCode !== undefined) throw new UsageError('--reason-code needs --reason, which says it in words');
  return undefined;
}
