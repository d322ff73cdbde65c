import { Alert, Button, Group, NativeSelect, Stack } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { TokenSummary } from '@answer-evidence/contracts';
import { ActionError } from '../../components/action-error.tsx';
import { AppModal } from '../../components/app-modal.tsx';
import { SecretOnce } from '../../components/secret-once.tsx';
import { useAction } from '../../components/use-action.ts';
import { useSession } from '../../session/session-context.tsx';
import { OVERLAPS } from './lives.ts';

type Props = { readonly token: Pick<TokenSummary, 'id' | 'name'>; readonly onClose: () => void };

/** Exchanges a token for a new one; the old one can stay good for a while. */
export function RotateTokenDialog({ token, onClose }: Props) {
  const { t } = useTranslation();
  const { client } = useSession();
  const queries = useQueryClient();
  const [overlap, setOverlap] = useState<number>(OVERLAPS[2]);
  const [secret, setSecret] = useState<string | null>(null);
  const { isBusy, error, run } = useAction();
  const rotate = () =>
    run(async () => {
      setSecret((await client.tokens.rotate(token.id, { overlap_seconds: overlap })).token);
      await queries.invalidateQueries({ queryKey: ['tokens'] });
    });
  return (
    <AppModal opened title={t('tokens.rotateTitle', { name: token.name })} onClose={onClose} isFixed={secret !== null}>
      {secret !== null ? (
        <SecretOnce label={t('tokens.secret', { name: token.name })} secret={secret} onDone={onClose} />
      ) : (
        <Stack>
          <Alert>{t('tokens.rotateText')}</Alert>
          <NativeSelect
            label={t('tokens.overlap')}
            value={overlap}
            onChange={(event) => setOverlap(Number(event.currentTarget.value))}
            data={OVERLAPS.map((seconds) => ({ value: String(seconds), label: t(`lives.${seconds}`) }))}
            data-autofocus
          />
          <ActionError error={error} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('common.cancel')}
            </Button>
            <Button loading={isBusy} onClick={() => void rotate()}>
              {t('tokens.rotate')}
            </Button>
          </Group>
        </Stack>
      )}
    </AppModal>
  );
}
