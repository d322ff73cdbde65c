import { Alert, Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { toCall } from '@answer-evidence/client/calls';
import { type CsvOptions, type MarkedFilters, requestedExport, SPREADSHEET_CSV } from '@answer-evidence/contracts';
import { getAnswerProof } from '@answer-evidence/contracts/operations';
import { ActionError } from '../../components/action-error.tsx';
import { AppModal } from '../../components/app-modal.tsx';
import { givenReason, NO_REASON, ReasonFields } from '../../components/reason-fields.tsx';
import { saveExport } from '../../components/save-export.ts';
import { saveFile } from '../../components/save-file.ts';
import { useAction } from '../../components/use-action.ts';
import { useSecondPerson } from '../../components/use-second-person.tsx';
import { useSession } from '../../session/session-context.tsx';

type Props = {
  readonly filters: MarkedFilters;
  readonly selected: ReadonlySet<string>;
  readonly onClose: () => void;
};

/** Saves the list as a file: what matches, as an export that the log names, or the proof bundles of the selection. */
export function ExportDialog({ filters, selected, onClose }: Props) {
  const { t } = useTranslation();
  const { client, readBytes } = useSession();
  const [reason, setReason] = useState(NO_REASON);
  const [left, setLeft] = useState<string | null>(null);
  const { isBusy, error, run } = useAction();
  const { orAsk, asking } = useSecondPerson();
  const { application_key, environment, created_after, created_before, ...others } = filters;

  const exportAs = (format: 'csv' | 'jsonl', csv: CsvOptions = {}) =>
    run(async () => {
      setLeft(null);
      const asked = Object.entries({ application_key, environment, created_after, created_before });
      const given = Object.fromEntries(asked.filter(([, value]) => value !== undefined));
      const saved = await orAsk(
        () => ({ export: requestedExport.parse({ format, ...given }) }),
        () => saveExport(client, format, given, csv, givenReason(reason)),
      );
      if (saved?.isTruncated === true)
        setLeft(t('export.truncated', { matching: saved.matching, after: saved.nextCreatedAfter }));
    });
  const exportSelected = () =>
    run(async () => {
      setLeft(null);
      const lines: Uint8Array[] = [];
      for (const id of selected) {
        lines.push(
          await readBytes(toCall(getAnswerProof, { params: { answer_log_id: id } })),
          new TextEncoder().encode('\n'),
        );
      }
      saveFile('bundles.jsonl', 'application/jsonl', lines);
    });

  return (
    <>
      <AppModal opened onClose={onClose} title={t('export.title')} size="lg">
        <Text mb="sm">{t('export.matching')}</Text>
        {Object.keys(others).length > 0 && (
          <Alert color="yellow" mb="sm">
            {t('export.otherFilters')}
          </Alert>
        )}
        <ReasonFields value={reason} onChange={setReason} />
        <Group my="md">
          <Button disabled={isBusy} onClick={() => void exportAs('csv')}>
            CSV
          </Button>
          <Button disabled={isBusy} onClick={() => void exportAs('csv', SPREADSHEET_CSV)}>
            {t('export.spreadsheet')}
          </Button>
          <Button disabled={isBusy} onClick={() => void exportAs('jsonl')}>
            JSON Lines
          </Button>
        </Group>
        <Text mb="sm">{t('export.spreadsheetHint')}</Text>
        <Text mb="sm">{t('export.bundles', { count: selected.size })}</Text>
        <Button variant="default" disabled={isBusy || selected.size === 0} onClick={() => void exportSelected()}>
          {t('export.bundlesButton')}
        </Button>
        {left !== null && (
          <Alert role="status" color="yellow" mt="md">
            {left}
          </Alert>
        )}
        <ActionError error={error} />
      </AppModal>
      {asking}
    </>
  );
}
