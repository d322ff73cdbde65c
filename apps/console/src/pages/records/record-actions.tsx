import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type AnswerRecord, type CreateEventRequest, type EventType, requestedEvent } from '@answer-evidence/contracts';
import { eventsTakenBy } from '@answer-evidence/lifecycle';
import { ActionMenu } from '../../components/action-menu.tsx';
import { isConflict } from '../../components/conflict.ts';
import { useSecondPerson } from '../../components/use-second-person.tsx';
import { useSession } from '../../session/session-context.tsx';
import { useKeyOf, useReload } from '../../session/workspace-query.ts';
import { ChangedMeanwhileError } from './changed-meanwhile-error.ts';
import { CorrectDialog, ExtendDialog, VoidDialog } from './event-dialogs.tsx';
import { RedactDialog } from './redact-dialog.tsx';

const DIALOGS = {
  correction_appended: CorrectDialog,
  voided: VoidDialog,
  redacted: RedactDialog,
  retention_extended: ExtendDialog,
} as const;

/** What the reader may still do with the record. Each of it appends an event, and changes nothing that was recorded. */
export function RecordActions({ record }: { readonly record: AnswerRecord }) {
  const { t } = useTranslation();
  const { client, may } = useSession();
  const taken = eventsTakenBy(record.status).filter((type) => type === 'correction_appended' || may('events.manage'));
  const queries = useQueryClient();
  const reload = useReload();
  const [open, setOpen] = useState<{ readonly type: EventType; readonly seen: AnswerRecord; readonly key: string }>();
  const { orAsk, asking } = useSecondPerson();
  const queryKey = useKeyOf()(['record', record.id]);

  async function append(request: CreateEventRequest): Promise<void> {
    if (open === undefined) return;
    try {
      // One key for as long as the dialog is open: sending it again after a lost response appends nothing twice.
      const asSeen = { ...request, version: open.seen.events?.length ?? 0 };
      const updated = await orAsk(
        () => ({ event: requestedEvent.parse({ answer_log_id: record.id, ...asSeen }) }),
        () => client.records.appendEvent(record.id, asSeen, open.key),
      );
      if (updated === undefined) return;
      queries.setQueryData(queryKey, updated);
    } catch (refused) {
      if (!isConflict(refused)) throw refused;
      const now = await client.records.get(record.id);
      queries.setQueryData(queryKey, now);
      // Confirming again means that the reader has seen it.
      setOpen({ ...open, seen: now });
      throw new ChangedMeanwhileError();
    }
    void reload('records');
  }

  const Dialog = open === undefined ? undefined : DIALOGS[open.type];
  return (
    <>
      <ActionMenu
        title={t('actions.title')}
        parts={taken.map((type) => ({
          kind: 'item',
          key: type,
          title: t(`actions.${type}`),
          onChoose: () => setOpen({ type, seen: record, key: crypto.randomUUID() }),
        }))}
      />
      {Dialog !== undefined && <Dialog record={record} onAppend={append} onClose={() => setOpen(undefined)} />}
      {asking}
    </>
  );
}
