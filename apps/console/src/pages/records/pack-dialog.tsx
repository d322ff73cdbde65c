import { Alert, Checkbox, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { PACK_COVER_LENGTH_MAX, requestedPack } from '@answer-evidence/contracts';
import { FormDialog } from '../../components/form-dialog.tsx';
import { givenReason, NO_REASON, ReasonFields } from '../../components/reason-fields.tsx';
import { savePack } from '../../components/save-export.ts';
import { useSecondPerson } from '../../components/use-second-person.tsx';
import { useSession } from '../../session/session-context.tsx';
import { useWorkspaceQuery } from '../../session/workspace-query.ts';

type Props = { readonly recordIds: readonly string[]; readonly onClose: () => void };

/** Asks for whom the pack is, and whether the texts go into it, which they do not at first, and saves it. */
export function PackDialog({ recordIds, onClose }: Props) {
  const { t } = useTranslation();
  const { client, may } = useSession();
  const [hasTexts, setTexts] = useState(false);
  const [reason, setReason] = useState(NO_REASON);
  const [recipient, setRecipient] = useState('');
  const [purpose, setPurpose] = useState('');
  const [hasLinks, setLinks] = useState(false);
  const [isMade, setMade] = useState(false);
  const { orAsk, asking } = useSecondPerson();
  const settings = useWorkspaceQuery(['settings'], (client) => client.settings.get());

  async function make(): Promise<void> {
    setMade(false);
    const why = hasTexts ? givenReason(reason) : undefined;
    const body = {
      answer_log_ids: [...recordIds],
      ...(hasTexts ? {} : { texts: 'withheld' as const }),
      ...(recipient.trim() === '' ? {} : { recipient }),
      ...(purpose.trim() === '' ? {} : { purpose }),
      ...(hasLinks ? { proof_links: {} } : {}),
    };
    const file = await orAsk(
      () => ({ pack: requestedPack.parse(body) }),
      () => client.trust.pack(body, why),
    );
    if (file === undefined) return;
    savePack(file);
    setMade(true);
  }

  return (
    <>
      <FormDialog
        title={t('pack.title')}
        size="lg"
        action={t('pack.action')}
        {...(isMade ? { leave: t('common.close') } : {})}
        onSubmit={make}
        onClose={onClose}
      >
        <Text>{t('pack.what', { count: recordIds.length })}</Text>
        <Alert>{t('pack.consequence')}</Alert>
        <TextInput
          label={t('pack.recipient')}
          value={recipient}
          maxLength={PACK_COVER_LENGTH_MAX}
          onChange={(event) => setRecipient(event.currentTarget.value)}
        />
        <TextInput
          label={t('pack.purpose')}
          description={t('pack.cover')}
          value={purpose}
          maxLength={PACK_COVER_LENGTH_MAX}
          onChange={(event) => setPurpose(event.currentTarget.value)}
        />
        {may('proof_links') && settings.data?.answer_audit_proof_links_enabled === true && (
          <Checkbox
            label={t('pack.links')}
            description={t('pack.linksHint')}
            checked={hasLinks}
            onChange={(event) => setLinks(event.currentTarget.checked)}
          />
        )}
        {may('texts.read') && (
          <Checkbox
            label={t('pack.texts')}
            description={t(hasTexts ? 'pack.contained' : 'pack.withheld')}
            checked={hasTexts}
            onChange={(event) => setTexts(event.currentTarget.checked)}
          />
        )}
        {hasTexts && <ReasonFields value={reason} onChange={setReason} />}
        {isMade && <Alert role="status">{t('pack.made')}</Alert>}
      </FormDialog>
      {asking}
    </>
  );
}
