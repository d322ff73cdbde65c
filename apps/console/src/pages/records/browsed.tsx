import { Alert, Button, Group, NativeSelect, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import {
  type BrowsedText,
  REVEAL_REASON_CODES,
  REVEAL_REASON_MAX,
  type RevealRequest,
} from '@answer-evidence/contracts';
import { PlainText } from '../../components/plain-text.tsx';
import { ReasonDialog } from '../../components/reason-dialog.tsx';
import { useSession } from '../../session/session-context.tsx';
import classes from './records.module.css';

/** What was read of the texts of records, by their ids. */
export type Browsed = ReadonlyMap<string, BrowsedText>;

/**
 * How the texts of these records begin, once a reason was given. Each is read once, since each reading is an entry of
 * the log; in memory, and gone with the page.
 */
export function useBrowsed(reason: RevealRequest | null, ids: readonly string[]) {
  const { client, session } = useSession();
  return useQuery({
    queryKey: ['browsed', session.workspace.id, reason, ids],
    queryFn: async (): Promise<Browsed> => {
      if (reason === null) return new Map();
      const { items } = await client.search.texts({ ...reason, answer_log_ids: [...ids] });
      return new Map(items.map((item) => [item.answer_log_id, item]));
    },
    enabled: reason !== null && ids.length > 0,
    staleTime: Infinity,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    retry: false,
  });
}

type Props = { readonly reason: RevealRequest | null; readonly onReason: (reason: RevealRequest | null) => void };

/** Begins and ends browsing with texts. */
export function BrowseButton({ reason, onReason }: Props) {
  const { t } = useTranslation();
  const [isAsking, setAsking] = useState(false);
  const [code, setCode] = useState<(typeof REVEAL_REASON_CODES)[number]>('review');
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
        <ReasonDialog
          title={t('browse.title')}
          consequence={t('browse.consequence')}
          action={t('browse.action')}
          reasonMax={REVEAL_REASON_MAX}
          onConfirm={(words) => Promise.resolve(onReason({ reason_code: code, reason: words }))}
          onClose={() => setAsking(false)}
        >
          <NativeSelect
            label={t('reveal.code')}
            value={code}
            onChange={(event) =>
              setCode(REVEAL_REASON_CODES.find((one) => one === event.currentTarget.value) ?? 'other')
            }
            data={REVEAL_REASON_CODES.map((value) => ({ value, label: t(`reveal.codes.${value}`) }))}
          />
        </ReasonDialog>
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
