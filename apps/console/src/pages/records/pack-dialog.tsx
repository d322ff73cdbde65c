import { Alert, Button, Checkbox, Group, Stack, Text } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ActionError } from '../../components/action-error.tsx';
import { AppModal } from '../../components/app-modal.tsx';
import { givenReason, NO_REASON, ReasonFields } from '../../components/reason-fields.tsx';
import { saveFile } from '../../components/save-file.ts';
import { useAction } from '../../components/use-action.ts';
import { useSession } from '../../session/session-context.tsx';

type Props = { readonly recordIds: readonly string[]; readonly onClose: () => void };

/** Asks whether the texts go into the pack, which they do not at first, and saves it. */
export function PackDialog({ recordIds, onClose }: Props) {
  const { t } = useTranslation();
  const { client } = useSession();
  const [hasTexts, setTexts] = useState(false);
  const [reason, setReason] = useState(NO_REASON);
  const [isMade, setMade] = useState(false);
  const { isBusy, error, run } = useAction();

  async function make(event: FormEvent): Promise<void> {
    event.preventDefault();
    setMade(false);
    const isDone = await run(async () => {
      const texts = hasTexts ? {} : { texts: 'withheld' as const };
      const why = hasTexts ? givenReason(reason) : undefined;
      const file = await client.trust.pack({ answer_log_ids: [...recordIds], ...texts }, why);
      saveFile('evidence-pack.html', 'text/html', [file]);
    });
    setMade(isDone);
  }

  return (
    <AppModal opened onClose={onClose} title={t('pack.title')} size="lg">
      <form onSubmit={(event) => void make(event)}>
        <Stack>
          <Text>{t('pack.what', { count: recordIds.length })}</Text>
          <Alert>{t('pack.consequence')}</Alert>
          <Checkbox
            label={t('pack.texts')}
            description={t(hasTexts ? 'pack.contained' : 'pack.withheld')}
            checked={hasTexts}
            onChange={(event) => setTexts(event.currentTarget.checked)}
          />
          {hasTexts && <ReasonFields value={reason} onChange={setReason} />}
          {isMade && <Alert role="status">{t('pack.made')}</Alert>}
          <ActionError error={error} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t(isMade ? 'common.close' : 'common.cancel')}
            </Button>
            <Button type="submit" loading={isBusy}>
              {t('pack.action')}
            </Button>
          </Group>
        </Stack>
      </form>
    </AppModal>
  );
}
