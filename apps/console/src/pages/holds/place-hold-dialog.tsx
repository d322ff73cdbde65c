import { NativeSelect, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import {
  HOLD_MATTER_LENGTH_MAX,
  HOLD_REASON_LENGTH_MAX,
  holdFilters,
  isVisible,
  type PlaceHoldRequest,
  RECORD_FILTER_COLUMNS,
} from '@answer-evidence/contracts';
import { ReasonDialog } from '../../components/reason-dialog.tsx';
import { useSecondPerson } from '../../components/use-second-person.tsx';
import { useSession } from '../../session/session-context.tsx';
import { useReload } from '../../session/workspace-query.ts';

const CHOICES = ['filters', 'ids', 'everything'] as const;
const DAYS = ['created_after', 'created_before'] as const;
/** What most matters are about; the others are asked for on demand. */
const FIRST = ['application_key', 'environment', ...DAYS] as const;
const OTHERS = RECORD_FILTER_COLUMNS.filter((column) => !FIRST.some((name) => name === column));

/** Puts records on hold: those that filters find, now and later, those with these ids, or every one. */
export function PlaceHoldDialog({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation();
  const { client } = useSession();
  const reload = useReload();
  const { orAsk, asking } = useSecondPerson();
  const [matter, setMatter] = useState('');
  const [choice, setChoice] = useState<(typeof CHOICES)[number]>('filters');
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const [ids, setIds] = useState('');
  const covered = readCovered(choice, values, ids);
  const field = (name: (typeof FIRST | typeof OTHERS)[number]) => (
    <TextInput
      key={name}
      label={t(`holdsPage.filters.${name}`)}
      type={DAYS.some((day) => day === name) ? 'date' : 'text'}
      value={values[name] ?? ''}
      onChange={({ currentTarget: { value } }) => setValues({ ...values, [name]: value })}
    />
  );
  return (
    <>
      <ReasonDialog
        title={t('holdsPage.place')}
        consequence={t('holdsPage.placeText')}
        action={t('holdsPage.place')}
        isReady={isVisible(matter) && covered !== undefined}
        reasonMax={HOLD_REASON_LENGTH_MAX}
        onConfirm={async (reason) => {
          if (covered === undefined) return;
          const hold = { matter: matter.trim(), reason, ...covered };
          await orAsk(
            () => ({ hold }),
            () => client.holds.place(hold),
          );
          await reload('holds');
        }}
        onClose={onClose}
      >
        <TextInput
          label={t('holdsPage.matter')}
          description={t('holdsPage.matterHint')}
          value={matter}
          onChange={({ currentTarget }) => setMatter(currentTarget.value)}
          maxLength={HOLD_MATTER_LENGTH_MAX}
          required
        />
        <NativeSelect
          label={t('holdsPage.which')}
          value={choice}
          onChange={({ currentTarget: { value } }) => setChoice(CHOICES.find((one) => one === value) ?? choice)}
          data={CHOICES.map((value) => ({ value, label: t(`holdsPage.choices.${value}`) }))}
        />
        {choice === 'filters' && (
          <>
            {FIRST.map(field)}
            <details>
              <summary>{t('holdsPage.moreFilters')}</summary>
              {OTHERS.map(field)}
            </details>
          </>
        )}
        {choice === 'ids' && (
          <Textarea
            label={t('holdsPage.ids')}
            description={t('holdsPage.idsHint')}
            value={ids}
            onChange={({ currentTarget }) => setIds(currentTarget.value)}
            rows={4}
            spellCheck={false}
            required
          />
        )}
      </ReasonDialog>
      {asking}
    </>
  );
}

/** Which records the fields name; undefined where they name none. */
function readCovered(
  choice: (typeof CHOICES)[number],
  values: Readonly<Record<string, string>>,
  ids: string,
): Pick<PlaceHoldRequest, 'filters' | 'answer_log_ids'> | undefined {
  if (choice === 'everything') return { filters: {} };
  if (choice === 'ids') {
    const named = ids.split(/[\s,;]+/).filter((id) => id !== '');
    return named.length === 0 ? undefined : { answer_log_ids: named };
  }
  const given = Object.entries(values).filter(([, value]) => value.trim() !== '');
  const filters = Object.fromEntries(
    given.map(([name, value]) => [name, DAYS.some((day) => day === name) ? `${value}T00:00:00Z` : value.trim()]),
  );
  const { data, success } = holdFilters.safeParse(filters);
  return success && given.length > 0 ? { filters: data } : undefined;
}
