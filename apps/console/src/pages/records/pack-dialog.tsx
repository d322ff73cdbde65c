import { Alert, Button, Checkbox, Group, Stack, Text } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { AppModal } from '../../components/app-modal.tsx';
import { describeError } from '../../components/error-state.tsx';
import { saveFile } from '../../components/save-file.ts';
import { useSession } from '../../session/session-context.tsx';

type Props = { readonly recordIds: readonly string[]; readonly onClose: () => void };
type Made = { readonly kind: 'idle' | 'busy' | 'made' } | { readonly kind: 'failed'; readonly error: unknown };

/** Asks whether the texts go into the pack, which they do not at first, and saves it. */
export function PackDialog({ recordIds, onClose }: Props) {
  const { t } = useTranslation();
  const { client } = useSession();
  const [hasTexts, setTexts] = useState(false);
  const [made, setMade] = useState<Made>({ kind: 'idle' });

  async function make(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (made.kind === 'busy') return;
    setMade({ kind: 'busy' });
    try {
      const texts = hasTexts ? {} : { texts: 'withheld' as const };
      const file = await client.trust.pack({ answer_log_ids: [...recordIds], ...texts });
      saveFile('evidence-pack.html', 'text/html', [file]);
      setMade({ kind: 'made' });
    } catch (error) {
      setMade({ kind: 'failed', error });
    }
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
          {made.kind === 'made' && <Alert role="status">{t('pack.made')}</Alert>}
          {made.kind === 'failed' && (
            <Alert role="alert" color="red" title={t('errors.title')} className="wrapped">
              {describeError(made.error, t)}
            </Alert>
          )}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('common.cancel')}
            </Button>
            <Button type="submit" loading={made.kind === 'busy'}>
              {t('pack.action')}
            </Button>
          </Group>
        </Stack>
      </form>
    </AppModal>
  );
}
