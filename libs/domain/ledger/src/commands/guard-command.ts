import type { Actor, Belonging, ServiceError } from '@answer-evidence/contracts';
import type { Right } from '@answer-evidence/contracts/operations';
import type { AppendCommand } from '../append-command.ts';
import { refuseMember } from '../members.ts';

/**
 * The command, refused where the person behind it may no longer do this when the lock is held: of a change of role and
 * an act under way, the one that comes first in the log decides. `of`: what it is about, each of which must be within
 * their limits.
 */
export function guardCommand<Command extends AppendCommand>(
  command: Command,
  actor: Actor,
  right: Right,
  ...of: readonly Belonging[]
): Command {
  if (actor.kind !== 'user') return command;
  return {
    ...command,
    reads: { ...command.reads, members: true },
    decide(view) {
      // A member's row stays for ever, so there is one of each person who could ask.
      const isKnown = view.members().some(({ row }) => row.id === actor.id);
      const error = isKnown ? refuse(actor, view.members(), right, of) : undefined;
      return error === undefined ? command.decide(view) : { kind: 'refuse', error };
    },
  };
}

function refuse(
  actor: Actor,
  members: Parameters<typeof refuseMember>[1],
  right: Right,
  of: readonly Belonging[],
): ServiceError | undefined {
  if (of.length === 0) return refuseMember(actor, members, right);
  for (const one of of) {
    const error = refuseMember(actor, members, right, one);
    if (error !== undefined) return error;
  }
  return undefined;
}
