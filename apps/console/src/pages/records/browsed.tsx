import { Alert, Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { BrowsedText, RevealRequest } from '@answer-evidence/contracts';
import { PlainText } from '../../components/plain-text.tsx';
import { ReadingReasonDialog } from '../../components/reading-reason-dialog.tsx';
import classes from './records.module.css';

type Props = { readonly reason: RevealRequest | null; readonly onReason: (reason: RevealRequest | null) => void };

/** Begins and ends browsing with texts. */
export function BrowseButton({ reason, onReason }: Props) {
  const { t } = useTranslation();
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <Button
        variant={reason === null ? 'default' : 'light'}
        aria-pressed={reason !== null}
        onClick={() => (reason === null ? setAsking(true) : onReason(null))}
      >
        {t(reason === null ? 'browse.title' : 'browse.stop')}
      </Button>
      {isAsking && (
        <ReadingReasonDialog
          title={t('browse.title')}
          consequence={t('browse.consequence')}
          action={t('browse.action')}
          onConfirm={(given) => Promise.resolve(onReason(given))}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}

/** Says that texts are shown, and for which reason. */
export function BrowseNotice({ reason }: { readonly reason: RevealRequest }) {
  const { t } = useTranslation();
  return (
    <Alert role="status" mb="sm" p="xs">
      <Group gap="xs">
        {t('browse.on', { code: t(`reveal.codes.${reason.reason_code}`) })}
        <PlainText text={reason.reason} />
      </Group>
    </Alert>
  );
}

/** The question and the answer that holds, as far as a row has room. */
export function BrowsedTexts({ texts }: { readonly texts: BrowsedText | undefined }) {
  const { t } = useTranslation();
  if (texts === undefined) return <Text c="dimmed">…</Text>;
  const { question, answer, holds } = texts;
  return (
    <div className={classes['texts']}>
      <Excerpt label={t('texts.question')} part={question} />
      <Excerpt label={t(holds === 'none' ? 'browse.voided' : 'browse.answer')} part={answer} />
    </div>
  );
}

function Excerpt({ label, part }: { readonly label: string; readonly part: BrowsedText['question'] }) {
  const { t } = useTranslation();
  return (
    <p className={classes['excerpt']}>
      <span className="muted">{label}: </span>
      {part.text === null ? (
        <span className="muted">{t(`textStates.${part.text_state}`)}</span>
      ) : (
        <>
          <PlainText text={part.text} />
          {part.is_cut && '…'}
        </>
      )}
    </p>
  );
}
