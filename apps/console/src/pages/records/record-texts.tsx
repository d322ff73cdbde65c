import { Alert, Button, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { AnswerRecord, CommittedText } from '@answer-evidence/contracts';
import { PlainText } from '../../components/plain-text.tsx';
import classes from './record.module.css';
import { type Reveal, RevealDialog } from './reveal-dialog.tsx';
import { withTexts } from './with-texts.ts';
import { WordDiff } from './word-diff.tsx';

type Props = {
  readonly record: AnswerRecord;
  /** What the reader has revealed of it on this page; null before. */
  readonly reveal: Reveal | null;
  readonly onReveal: (reveal: Reveal) => void;
};

/** The original and what holds now, side by side. Texts come only when the reader gives a reason for reading them. */
export function RecordTexts({ record: withheld, reveal, onReveal }: Props) {
  const { t } = useTranslation();
  const [isShown, setShown] = useState(false);
  const [isAsking, setAsking] = useState(false);
  const record = withTexts(withheld, reveal?.record ?? null);
  const correction = record.events?.findLast(({ corrected_answer: corrected }) => corrected !== null)?.corrected_answer;
  const current = correction ?? null;
  const parts = [record.question, record.answer, current].filter((part) => part !== null);
  const hasText = parts.some((part) => part.text_state === 'stored');
  // A correction by somebody else came since: its text needs a reason, too.
  const isWhole = parts.every((part) => part.text_state !== 'stored' || part.text !== null);
  const names = { original: t('texts.original'), current: t('texts.current'), question: t('texts.question') };
  return (
    <section aria-labelledby="texts" className={classes['section']}>
      <div className="page-head">
        <Title order={2} size="h4" id="texts">
          {t('texts.title')}
        </Title>
        {hasText && (
          <Button
            variant="default"
            aria-pressed={isShown}
            onClick={() => (isShown || isWhole ? setShown(!isShown) : setAsking(true))}
          >
            {t(isShown ? 'texts.hide' : 'texts.show')}
          </Button>
        )}
      </div>
      {isAsking && (
        <RevealDialog
          recordId={record.id}
          onRevealed={(revealed) => {
            onReveal(revealed);
            setShown(true);
          }}
          onClose={() => setAsking(false)}
        />
      )}
      {record.status === 'voided' && (
        <Alert color="yellow" mb="md">
          {t('texts.voided')}
        </Alert>
      )}
      <Committed name={names.question} part={record.question} isShown={isShown} />
      <div className={classes['sides']}>
        <Committed name={names.original} part={record.answer} isShown={isShown} />
        {current === null ? (
          <div>
            <Title order={3} size="h5">
              {names.current}
            </Title>
            <Text c="dimmed">{t(record.status === 'voided' ? 'texts.noneHolds' : 'texts.unchanged')}</Text>
          </div>
        ) : isShown && record.answer.text !== null && current.text !== null ? (
          <div>
            <Title order={3} size="h5">
              {names.current}
            </Title>
            <WordDiff before={record.answer.text} after={current.text} label={names.current} />
            <Hash part={current} />
          </div>
        ) : (
          <Committed name={names.current} part={current} isShown={isShown} />
        )}
      </div>
    </section>
  );
}

type Part = Pick<CommittedText, 'hash' | 'hash_key_id' | 'text' | 'text_state'>;

function Committed({ name, part, isShown }: { readonly name: string; readonly part: Part; readonly isShown: boolean }) {
  const { t } = useTranslation();
  return (
    <div>
      <Title order={3} size="h5">
        {name}
      </Title>
      {part.text === null && (isShown || part.text_state !== 'stored') ? (
        <Text c="dimmed">{t(`textStates.${part.text_state}`)}</Text>
      ) : isShown && part.text !== null ? (
        <PlainText text={part.text} isBlock label={name} />
      ) : (
        <Text c="dimmed">{t('texts.hidden')}</Text>
      )}
      <Hash part={part} />
    </div>
  );
}

function Hash({ part }: { readonly part: Part }) {
  const { t } = useTranslation();
  return (
    <Text size="sm" c="dimmed">
      {t('texts.commitment')}{' '}
      <span className={`mono ${classes['hash']}`}>
        <PlainText text={part.hash} />
      </span>
    </Text>
  );
}
