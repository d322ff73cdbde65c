import { Button, Menu } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { AnswerRecord, CreateEventRequest, EventType } from '@answer-evidence/contracts';
import { eventsTakenBy } from '@answer-evidence/lifecycle';
import { useSession } from '../../session/session-context.tsx';
import { ChangedMeanwhileError } from './changed-meanwhile-error.ts';
import { CorrectDialog, ExtendDialog, RedactDialog, VoidDialog } from './event-dialogs.tsx';

const DIALOGS = {
  correction_appended: CorrectDialog,
  voided: VoidDialog,
  redacted: RedactDialog,
  retention_extended: ExtendDialog,
} as const;

/** What a manager may still do with the record. Each of it appends an event, and changes nothing that was recorded. */
export function RecordActions({ record }: { readonly record: AnswerRecord }) {
  const { t } = useTranslation();
  const { client, session } = useSession();
  const queries = useQueryClient();
  const [open, setOpen] = useState<{ readonly type: EventType; readonly seen: AnswerRecord; readonly key: string }>();
  const queryKey = ['record', session.workspace.id, record.id];

  async function append(request: CreateEventRequest): Promise<void> {
    if (open === undefined) return;
    const now = await client.records.get(record.id);
    if (!isUnchanged(open.seen, now)) {
      queries.setQueryData(queryKey, now);
      // Confirming again means that the reader has seen it.
      setOpen({ ...open, seen: now });
      throw new ChangedMeanwhileError();
    }
    // One key for as long as the dialog is open: sending it again after a lost response appends nothing twice.
    queries.setQueryData(queryKey, await client.records.appendEvent(record.id, request, open.key));
    void queries.invalidateQueries({ queryKey: ['records'] });
  }

  const Dialog = open === undefined ? undefined : DIALOGS[open.type];
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button>{t('actions.title')}</Button>
        </Menu.Target>
        <Menu.Dropdown>
          {eventsTakenBy(record.status).map((type) => (
            <Menu.Item key={type} onClick={() => setOpen({ type, seen: record, key: crypto.randomUUID() })}>
              {t(`actions.${type}`)}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      {Dialog !== undefined && <Dialog record={record} onAppend={append} onClose={() => setOpen(undefined)} />}
    </>
  );
}

function isUnchanged(seen: AnswerRecord, now: AnswerRecord): boolean {
  return seen.status === now.status && seen.events?.length === now.events?.length;
}
