import { Alert, Button, Group, Stack, Text, Title } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { TenantSettings } from '@answer-evidence/contracts';
import { ActionError } from '../../components/action-error.tsx';
import { isConflict } from '../../components/conflict.ts';
import { PlainText } from '../../components/plain-text.tsx';
import { Time } from '../../components/time.tsx';
import { useAction } from '../../components/use-action.ts';
import { useSecondPerson } from '../../components/use-second-person.tsx';
import { useSession } from '../../session/session-context.tsx';
import { useReload } from '../../session/workspace-query.ts';
import { ReadingRuleField } from './reading-rule-field.tsx';
import { DefaultRetentionField, FloorField } from './retention-fields.tsx';
import classes from './settings.module.css';
import { changedFields, type Draft, type Field, isComplete } from './settings-draft.ts';
import { SizeField } from './size-field.tsx';
import { type SwitchName, SwitchSetting } from './switch-setting.tsx';
import { TwoPeopleField } from './two-people-field.tsx';
import { useSay } from './use-say.ts';
import { WordIndexProgress } from './word-index-progress.tsx';

/** The rules of the workspace. Each says what it leads to, and what would change is listed before it is saved. */
export function SettingsForm({ first }: { readonly first: TenantSettings }) {
  const { t } = useTranslation();
  const say = useSay();
  const { client, may } = useSession();
  const reload = useReload();
  const [base, setBase] = useState(first);
  const [draft, setDraft] = useState<Draft>(first);
  const [meanwhile, setMeanwhile] = useState<readonly Field[]>([]);
  const [isSaved, setSaved] = useState(false);
  const { isBusy, error, run } = useAction();
  const { orAsk, asking } = useSecondPerson();
  const changed = changedFields(base, draft);
  const set = (part: Partial<Draft>) => {
    setSaved(false);
    setDraft({ ...draft, ...part });
  };
  const chosen = (from: Draft) => Object.fromEntries(changed.map((name) => [name, from[name]]));

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    setSaved(false);
    await run(async () => {
      try {
        const settings = { ...chosen(draft), version: base.version };
        const saved = await orAsk(
          () => ({ settings }),
          () => client.settings.patch(settings),
        );
        if (saved === undefined) return;
        setBase(saved);
        setDraft(saved);
        setMeanwhile([]);
        setSaved(true);
      } catch (refused) {
        if (isConflict(refused)) {
          const now = await client.settings.get();
          setMeanwhile(changedFields(base, now));
          // What was not touched here follows; what was stays as typed, and is sent only when it is saved once more.
          setDraft({ ...now, ...chosen(draft) });
          setBase(now);
        }
        throw refused;
      }
      await reload('settings');
      void reload('search-words');
    });
  }

  const toggle = (name: SwitchName) => (
    <SwitchSetting name={name} isOn={draft[name]} onChange={(isOn) => set({ [name]: isOn })} />
  );
  return (
    <>
      <form onSubmit={(event) => void submit(event)}>
        <Part title={t('settings.parts.reading')}>
          <ReadingRuleField
            value={draft.answer_audit_reading_rule}
            onChange={(rule) => set({ answer_audit_reading_rule: rule })}
          />
          <div>
            {toggle('answer_audit_word_search_enabled')}
            <WordIndexProgress />
          </div>
          {toggle('answer_audit_proof_links_enabled')}
        </Part>
        <Part title={t('settings.parts.retention')}>
          <DefaultRetentionField
            days={draft.answer_audit_default_retention_days}
            least={draft.answer_audit_retention_floor?.days ?? 1}
            onChange={(days) => set({ answer_audit_default_retention_days: days })}
          />
          <FloorField
            floor={draft.answer_audit_retention_floor}
            onChange={(floor) => set({ answer_audit_retention_floor: floor })}
          />
        </Part>
        <Part title={t('settings.parts.stored')}>
          {toggle('answer_audit_store_question_text')}
          {toggle('answer_audit_store_answer_text')}
          <SizeField
            bytes={draft.answer_audit_evidence_max_bytes}
            onChange={(bytes) => set({ answer_audit_evidence_max_bytes: bytes })}
          />
        </Part>
        <Part title={t('settings.parts.accepted')}>
          {toggle('answer_audit_accept_text')}
          {toggle('answer_audit_accept_caller_hash')}
          {toggle('answer_audit_keyed_hash_enabled')}
          {toggle('answer_audit_otlp_hash_user_ids')}
          <Text size="sm" c="dimmed">
            {t('settings.rules', { count: base.answer_audit_otlp_rules.length })}
          </Text>
        </Part>
        <Part title={t('settings.parts.twoPeople')}>
          <TwoPeopleField
            value={draft.answer_audit_two_people}
            onChange={(policy) => set({ answer_audit_two_people: policy })}
          />
        </Part>
        {!may('settings.manage') && <Text c="dimmed">{t('errors.forbidden')}</Text>}
        <div hidden={!may('settings.manage')} className={classes['save']} data-changed={changed.length > 0}>
          <Stack>
            {changed.length > 0 && (
              <Alert title={t('settings.changes')}>
                <ul className="plain-list">
                  {changed.map((name) => (
                    <li key={name}>
                      {t(`settings.${name}`)}: <PlainText text={say(name, base)} /> →{' '}
                      <strong>
                        <PlainText text={say(name, draft)} />
                      </strong>
                    </li>
                  ))}
                </ul>
                <Text size="sm">{t('settings.entry')}</Text>
              </Alert>
            )}
            {meanwhile.length > 0 ? (
              <Alert color="yellow" role="alert" title={t('conflict.title')}>
                <Text>{t('conflict.text')}</Text>
                <ul className="plain-list">
                  {meanwhile.map((name) => (
                    <li key={name}>
                      {t('conflict.now')} {t(`settings.${name}`)}:{' '}
                      <strong>
                        <PlainText text={say(name, base)} />
                      </strong>
                    </li>
                  ))}
                </ul>
              </Alert>
            ) : (
              <ActionError error={error} />
            )}
            {isSaved && (
              <Alert role="status" color="green">
                {t('settings.saved')}
              </Alert>
            )}
            <Group>
              <Button type="submit" loading={isBusy} disabled={changed.length === 0 || !isComplete(draft)}>
                {t('common.save')}
              </Button>
              <Button variant="default" disabled={changed.length === 0} onClick={() => setDraft(base)}>
                {t('settings.undo')}
              </Button>
              <Text size="sm" c="dimmed">
                {t('settings.version', { version: base.version })} <Time at={base.updated_at} />
              </Text>
            </Group>
          </Stack>
        </div>
      </form>
      {asking}
    </>
  );
}

/** Settings that belong together, under their name. */
function Part({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  const { may } = useSession();
  return (
    <fieldset disabled={!may('settings.manage')} className={`section ${classes['part'] ?? ''}`}>
      <Title order={2} size="h4" component="legend">
        {title}
      </Title>
      <Stack gap="lg">{children}</Stack>
    </fieldset>
  );
}
