import { actorOf } from '@answer-evidence/access';
import { type Belonging, type BrowsedText, type CommittedText, EXCERPT_LENGTH } from '@answer-evidence/contracts';
import { browseTexts } from '@answer-evidence/contracts/operations';
import { createNoteCommand, guardCommand, readingEntry } from '@answer-evidence/ledger';
import { newCoreIdentity, type Workspace } from '@answer-evidence/ports';
import { defineRoute, type Route } from '@answer-evidence/routes';
import { findHolding } from '@answer-evidence/verify';
import type { IngestDeps } from '../../deps.ts';
import { findOwnRecord } from '../../resources/load-record.ts';
import { toRecordResource } from '../../resources/to-record-resource.ts';

/** `POST /api/search/texts`: how the texts of some records begin, and one entry that says who read them. */
export function browseTextsRoute(deps: IngestDeps): Route {
  return defineRoute({
    ...browseTexts,
    async handle(request) {
      const { caller } = request;
      const { answer_log_ids: named, ...reason } = request.body;
      const workspace = await deps.directory.get(caller.workspaceId);
      const found = new Map<string, Belonging>();
      // All of them are there, and the caller may read each, before anything is written.
      for (const id of named) {
        const { record } = await findOwnRecord(deps, caller, id);
        found.set(record.id, record);
      }
      const ids = [...found.keys()];
      const { operationId: operation } = browseTexts;
      const identity = newCoreIdentity(deps);
      const entry = readingEntry(identity, ids, { operation, ...reason, actor: actorOf(caller) });
      // The log says that somebody reads the texts before they leave.
      const command = guardCommand(
        createNoteCommand(workspace.id, entry),
        actorOf(caller),
        'texts.read',
        ...found.values(),
      );
      await deps.ledger.append(workspace.id, () => command);
      const items = await Promise.all(
        ids.map(async (id) => beginningsOf(workspace, await findOwnRecord(deps, caller, id), identity.id)),
      );
      return { status: 200, body: { items } };
    },
  });
}

function beginningsOf(
  workspace: Workspace,
  stored: Awaited<ReturnType<typeof findOwnRecord>>,
  entryId: string,
): BrowsedText {
  const door = { texts: 'shown', vouchedBy: entryId } as const;
  const { id, question, answer, events = [] } = toRecordResource(workspace, stored, door, '', 0, []);
  const correction = events.findLast(({ corrected_answer: corrected }) => corrected !== null)?.corrected_answer;
  return {
    answer_log_id: id,
    question: excerptOf(question),
    answer: excerptOf(correction ?? answer),
    holds: findHolding(events.map(({ event_type: type }) => ({ type }))),
    entry_id: entryId,
  };
}

function excerptOf({ text, text_state }: Pick<CommittedText, 'text' | 'text_state'>): BrowsedText['question'] {
  if (text === null) return { text, text_state, is_cut: false };
  // By characters, so that none is cut in two.
  const beginning = [...text.slice(0, 2 * EXCERPT_LENGTH)].slice(0, EXCERPT_LENGTH).join('');
  return { text: beginning, text_state, is_cut: beginning.length < text.length };
}
