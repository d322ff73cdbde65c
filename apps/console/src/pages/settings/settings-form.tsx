import { Alert, Button, Group, NativeSelect, NumberInput, Stack, Switch, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { READING_RULES, RETENTION_DAYS_MAX, type TenantSettings } from '@answer-evidence/contracts';
import { ActionError } from '../../components/action-error.tsx';
import { isConflict } from '../../components/conflict.ts';
import { formatSize } from '../../components/format-size.ts';
import { Time } from '../../components/time.tsx';
import { useAction } from '../../components/use-action.ts';
import { useSession } from '../../session/session-context.tsx';

const SWITCHES = [
  'answer_audit_store_question_text',
  'answer_audit_store_answer_text',
  'answer_audit_accept_text',
  'answer_audit_accept_caller_hash',
  'answer_audit_keyed_hash_enabled',
  'answer_audit_otlp_hash_user_ids',
  'answer_audit_proof_links_enabled',
  'answer_audit_word_search_enabled',
] as const;
const NUMBERS = ['answer_audit_default_retention_days', 'answer_audit_evidence_max_bytes'] as const;
const RULE = 'answer_audit_reading_rule';
const FIELDS = [RULE, ...SWITCHES, ...NUMBERS] as const;
type Field = (typeof FIELDS)[number];
type Draft = Pick<TenantSettings, Field>;

/** The rules of the workspace. Each says what it leads to, and what would change is listed before it is saved. */
export function SettingsForm({ first }: { readonly first: TenantSettings }) {
  const { t, i18n } = useTranslation();
  const { client, session } = useSession();
  const queries = useQueryClient();
  const [base, setBase] = useState(first);
  const [draft, setDraft] = useState<Draft>(first);
  const [meanwhile, setMeanwhile] = useState<readonly Field[]>([]);
  const [isSaved, setSaved] = useState(false);
  const { isBusy, error, run } = useAction();
  const changed = FIELDS.filter((name) => draft[name] !== base[name]);
  const set = (part: Partial<Draft>) => {
    setSaved(false);
    setDraft({ ...draft, ...part });
  };

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    setSaved(false);
    await run(async () => {
      const patch = Object.fromEntries(changed.map((name) => [name, draft[name]]));
      try {
        const saved = await client.settings.patch({ ...patch, version: base.version });
        setBase(saved);
        setDraft(saved);
        setMeanwhile([]);
        setSaved(true);
      } catch (refused) {
        if (isConflict(refused)) {
          const now = await client.settings.get();
          const theirs = FIELDS.filter((name) => now[name] !== base[name]);
          setMeanwhile(theirs);
          // What was not touched here follows; what was stays as typed, and is sent only when it is saved once more.
          setDraft({ ...now, ...Object.fromEntries(changed.map((name) => [name, draft[name]])) });
          setBase(now);
        }
        throw refused;
      }
      await queries.invalidateQueries({ queryKey: ['settings', session.workspace.id] });
    });
  }

  return (
    <form onSubmit={(event) => void submit(event)} className="form section">
      <Stack gap="lg">
        <NativeSelect
          label={t(`settings.${RULE}`)}
          description={t(`consequences.${RULE}.${draft[RULE]}`)}
          value={draft[RULE]}
          onChange={({ currentTarget: { value } }) =>
            set({ [RULE]: READING_RULES.find((one) => one === value) ?? draft[RULE] })
          }
          data={READING_RULES.map((value) => ({ value, label: t(`readingRules.${value}`) }))}
        />
        {SWITCHES.map((name) => (
          <Switch
            key={name}
            checked={draft[name]}
            onChange={(event) => set({ [name]: event.currentTarget.checked })}
            label={t(`settings.${name}`)}
            description={t(`consequences.${name}.${draft[name] ? 'on' : 'off'}`)}
          />
        ))}
        <NumberInput
          label={t('settings.answer_audit_default_retention_days')}
          description={t('consequences.retention')}
          value={draft.answer_audit_default_retention_days}
          onChange={(value) => set({ answer_audit_default_retention_days: Number(value) })}
          min={1}
          max={RETENTION_DAYS_MAX}
          allowDecimal={false}
          hideControls
        />
        <NumberInput
          label={t('settings.answer_audit_evidence_max_bytes')}
          description={t('consequences.size', {
            size: formatSize(draft.answer_audit_evidence_max_bytes, i18n.language),
          })}
          value={draft.answer_audit_evidence_max_bytes}
          onChange={(value) => set({ answer_audit_evidence_max_bytes: Number(value) })}
          min={1}
          allowDecimal={false}
          hideControls
        />
        <Text size="sm" c="dimmed">
          {t('settings.rules', { count: base.answer_audit_otlp_rules.length })}
        </Text>
        {changed.length > 0 && (
          <Alert title={t('settings.changes')}>
            <ul className="plain-list">
              {changed.map((name) => (
                <li key={name}>
                  {t(`settings.${name}`)}: {say(base[name])} → <strong>{say(draft[name])}</strong>
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
                  {t('conflict.now')} {t(`settings.${name}`)}: <strong>{say(base[name])}</strong>
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
          <Button type="submit" loading={isBusy} disabled={changed.length === 0}>
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
    </form>
  );

  function say(value: boolean | number | string): string {
    if (typeof value === 'string') return t(`readingRules.${value}`);
    return typeof value === 'boolean' ? t(value ? 'common.on' : 'common.off') : String(value);
  }
}
