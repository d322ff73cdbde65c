import { Alert, Button, Group, Stack } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type CsvOptions, type RequestedExport, SPREADSHEET_CSV } from '@answer-evidence/contracts';
import { ActionError } from '../../components/action-error.tsx';
import { AppModal } from '../../components/app-modal.tsx';
import { givenReason, NO_REASON, ReasonFields } from '../../components/reason-fields.tsx';
import { saveExport, savePack } from '../../components/save-export.ts';
import { useAction } from '../../components/use-action.ts';
import { useSession } from '../../session/session-context.tsx';
import { useReload } from '../../session/workspace-query.ts';
import { type AskedExport, ExportInWords } from './asked-export.tsx';

type Props = { readonly approvalId: string; readonly asked: AskedExport; readonly onClose: () => void };

/** Makes exactly the export that was approved, once, and saves it. */
export function TakeExportDialog({ approvalId, asked, onClose }: Props) {
  const { t } = useTranslation();
  const { client } = useSession();
  const reload = useReload();
  const [reason, setReason] = useState(NO_REASON);
  const [taken, setTaken] = useState<string | null>(null);
  const { isBusy, error, run } = useAction();
  const { pack } = asked;
  const approved = { approval_id: approvalId };
  const take = (save: () => Promise<string>) =>
    run(async () => {
      try {
        setTaken(await save());
      } finally {
        // Taken or refused: what the list says of it may have changed.
        await reload('approvals');
      }
    });
  const takeWindow = ({ format, records: _, ...filters }: RequestedExport, csv?: CsvOptions) =>
    take(async () => {
      const left = await saveExport(client, format, { ...filters, ...approved }, csv, givenReason(reason));
      const said = t('askedExports.taken');
      if (!left.isTruncated) return said;
      return `${said} ${t('export.truncated', { matching: left.matching, after: left.nextCreatedAfter })}`;
    });
  const takePack = (asIs: NonNullable<typeof pack>) =>
    take(async () => {
      const why = asIs.texts === 'withheld' ? undefined : givenReason(reason);
      savePack(await client.trust.pack({ ...asIs, ...approved }, why));
      return `${t('askedExports.taken')} ${t('pack.made')}`;
    });

  return (
    <AppModal opened title={t('askedExports.takeTitle')} onClose={onClose} size="lg">
      <Stack>
        <Alert>{t('askedExports.takeText')}</Alert>
        <ExportInWords asked={asked} />
        {taken === null && pack?.texts !== 'withheld' && <ReasonFields value={reason} onChange={setReason} />}
        {taken !== null && (
          <Alert role="status" color="green" className="wrapped">
            {taken}
          </Alert>
        )}
        <ActionError error={error} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t(taken === null ? 'common.cancel' : 'common.close')}
          </Button>
          {taken === null &&
            waysOf(asked).map(({ title, csv }) => (
              <Button
                key={title}
                disabled={isBusy}
                onClick={() => {
                  if (asked.export !== undefined) void takeWindow(asked.export, csv);
                  else if (pack !== undefined) void takePack(pack);
                }}
              >
                {t(title)}
              </Button>
            ))}
        </Group>
      </Stack>
    </AppModal>
  );
}

/** The forms that an approval allows: a spreadsheet may have its own form of the same CSV. */
function waysOf({ export: window }: AskedExport): readonly { readonly title: string; readonly csv?: CsvOptions }[] {
  if (window === undefined) return [{ title: 'pack.action' }];
  if (window.format === 'jsonl') return [{ title: 'exportFormats.jsonl' }];
  return [{ title: 'exportFormats.csv' }, { title: 'export.spreadsheet', csv: SPREADSHEET_CSV }];
}
