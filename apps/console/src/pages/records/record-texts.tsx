import { Alert, Button, Text, Title } from '@mantine/core';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { AnswerRecord, CommittedText } from '@answer-evidence/contracts';
import { findHolding } from '@answer-evidence/verify';
import { useSession } from '../../session/session-context.tsx';
import { areAlike } from './are-alike.ts';
import classes from './record.module.css';
import { type Reveal, RevealDialog } from './reveal-dialog.tsx';
import { ValidText } from './valid-text.tsx';
import { withTexts } from './with-texts.ts';
import { WordDiff } from './word-diff.tsx';

type Props = {
  readonly record: AnswerRecord;
  /** What the reader has revealed of it on this page; null before. */
  readonly reveal: Reveal | null;
  readonly onReveal: (reveal: Reveal) => void;
};

/** What was asked, and the answer that holds now; what was recorded first stands below it. Texts come for a reason. */
export function RecordTexts({ record: withheld, reveal, onReveal }: Props) {
  const { t } = useTranslation();
  const { may } = useSession();
  const [isShown, setShown] = useState(false);
  const [isAsking, setAsking] = useState(false);
  const record = withTexts(withheld, reveal?.record ?? null);
  const events = record.events ?? [];
  // The events say it: a record that was voided and then redacted has the status of its redaction.
  const holding = findHolding(events.map(({ event_type: type }) => ({ type })));
  const correction = events.findLast(({ corrected_answer: corrected }) => corrected !== null)?.corrected_answer ?? null;
  const parts = [record.question, record.answer, correction].filter((part) => part !== null);
  const hasText = parts.some((part) => part.text_state === 'stored');
  // A correction by somebody else came since: its text needs a reason, too.
  const isWhole = parts.every((part) => part.text_state !== 'stored' || part.text !== null);
  const holds = holding === 'none' ? null : (correction ?? record.answer);
  return (
    <section aria-labelledby="texts" className={classes['section']}>
      <div className="page-head">
        <Title order={2} size="h4" id="texts">
          {t('texts.title')}
        </Title>
        {hasText && may('texts.read') && (
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
      {holding === 'none' && (
        <Alert color="yellow" mb="md">
          {t('texts.voided')}
        </Alert>
      )}
      <Committed name={t('texts.question')} part={record.question} isShown={isShown} />
      {holds === null ? (
        <div className={classes['part']}>
          <Title order={3} size="h5">
            {t('texts.current')}
          </Title>
          <Text c="dimmed">{t('texts.noneHolds')}</Text>
        </div>
      ) : (
        <Committed name={t('texts.current')} part={holds} isShown={isShown}>
          {holding === 'original' && <Text c="dimmed">{t('texts.unchanged')}</Text>}
        </Committed>
      )}
      {holds !== record.answer && <Committed name={t('texts.original')} part={record.answer} isShown={isShown} />}
      {holding === 'none' && correction !== null && (
        <Committed name={t('texts.lastCorrection')} part={correction} isShown={isShown} />
      )}
      {isShown && correction !== null && <Difference before={record.answer.text} after={correction.text} />}
    </section>
  );
}

/** What a correction changed of the first answer, on request: of unlike texts that would be no help to anybody. */
function Difference({ before, after }: { readonly before: string | null; readonly after: string | null }) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const isHelp = useMemo(() => before !== null && after !== null && areAlike(before, after), [before, after]);
  if (before === null || after === null) return null;
  if (!isHelp) return <Text c="dimmed">{t('texts.unlike')}</Text>;
  return (
    <div className={classes['part']}>
      <Button variant="default" size="xs" aria-pressed={isOpen} onClick={() => setOpen(!isOpen)}>
        {t('texts.compare')}
      </Button>
      {isOpen && <WordDiff before={before} after={after} label={t('texts.difference')} />}
    </div>
  );
}

type Part = Pick<CommittedText, 'hash' | 'text' | 'text_state'>;
type CommittedProps = {
  readonly name: string;
  readonly part: Part;
  readonly isShown: boolean;
  readonly children?: React.ReactNode;
};

function Committed({ name, part, isShown, children }: CommittedProps) {
  const { t } = useTranslation();
  return (
    <div className={classes['part']}>
      <Title order={3} size="h5">
        {name}
      </Title>
      {part.text === null && (isShown || part.text_state !== 'stored') ? (
        <Text c="dimmed">{t(`textStates.${part.text_state}`)}</Text>
      ) : isShown && part.text !== null ? (
        <ValidText text={part.text} label={name} />
      ) : (
        <Text c="dimmed">{t('texts.hidden')}</Text>
      )}
      {children}
    </div>
  );
}
