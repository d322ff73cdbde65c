import { Alert, Anchor, Button, Group, NumberInput, Radio, Stack, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { PROOF_LINK_LIFE_SECONDS_MAX, type ProofLinkShows } from '@answer-evidence/contracts';
import { ActionError } from '../../components/action-error.tsx';
import { AppModal } from '../../components/app-modal.tsx';
import { SecretOnce } from '../../components/secret-once.tsx';
import { useAction } from '../../components/use-action.ts';
import { useSession } from '../../session/session-context.tsx';
import { useReload, useWorkspaceQuery } from '../../session/workspace-query.ts';
import { LinkList } from './link-list.tsx';

const DAY_SECONDS = 86_400;
const DAYS_DEFAULT = 30;

type Props = { readonly recordId: string; readonly onClose: () => void };

/** Makes a link that shows the record to anyone who has it, and lists the ones that there are. */
export function LinkDialog({ recordId, onClose }: Props) {
  const { t } = useTranslation();
  const { client } = useSession();
  const reload = useReload();
  const [shows, setShows] = useState<ProofLinkShows>('record');
  const [days, setDays] = useState(DAYS_DEFAULT);
  const [url, setUrl] = useState<string>();
  const { isBusy, error, run } = useAction();
  const settings = useWorkspaceQuery(['settings'], (client) => client.settings.get());
  const links = useWorkspaceQuery(['proof-links', recordId], (client) => client.proofLinks.list(recordId));
  const isOff = settings.data?.answer_audit_proof_links_enabled === false;

  async function make(event: FormEvent): Promise<void> {
    event.preventDefault();
    await run(async () => {
      const body = { shows, expires_in_seconds: days * DAY_SECONDS };
      setUrl((await client.proofLinks.create(recordId, body)).url);
      await reload('proof-links', recordId);
    });
  }

  async function revoke(id: string): Promise<void> {
    await run(async () => {
      await client.proofLinks.revoke(recordId, id);
      await reload('proof-links', recordId);
    });
  }

  return (
    <AppModal opened onClose={onClose} title={t('proofLink.title')} size="xl">
      <Stack>
        <Text>{t('proofLink.what')}</Text>
        {isOff ? (
          <Alert color="yellow">
            {t('proofLink.off')}{' '}
            <Anchor component={Link} to="/settings">
              {t('proofLink.settings')}
            </Anchor>
          </Alert>
        ) : (
          <form onSubmit={(event) => void make(event)}>
            <Stack>
              <Radio.Group
                label={t('proofLink.shows')}
                value={shows}
                onChange={(value) => setShows(value === 'commitments' ? 'commitments' : 'record')}
              >
                <Stack gap="xs" mt="xs">
                  <Radio value="record" label={t('proofLink.record')} />
                  <Radio value="commitments" label={t('proofLink.commitments')} />
                </Stack>
              </Radio.Group>
              <NumberInput
                label={t('proofLink.days')}
                value={days}
                onChange={(value) => setDays(Number(value))}
                min={1}
                max={PROOF_LINK_LIFE_SECONDS_MAX / DAY_SECONDS}
                allowDecimal={false}
                required
              />
              <Alert>{t('proofLink.consequence')}</Alert>
              {url !== undefined && <SecretOnce label={t('proofLink.link')} secret={url} />}
              <ActionError error={error} />
              <Group justify="flex-end">
                <Button type="submit" loading={isBusy}>
                  {t('proofLink.action')}
                </Button>
              </Group>
            </Stack>
          </form>
        )}
        <section aria-labelledby="links-of-record">
          <Title order={3} size="h5" id="links-of-record">
            {t('proofLink.list')}
          </Title>
          <ActionError error={links.error} />
          {links.data !== undefined && <LinkList links={links.data.items} isBusy={isBusy} onRevoke={revoke} />}
        </section>
      </Stack>
    </AppModal>
  );
}
