import { Alert, Button, Group, Stack, Switch, Text, Textarea, TextInput, Title } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { TrustPolicy } from '@answer-evidence/contracts';
import { formatWitnessRows, readWitnessRows, type WitnessRows } from '@answer-evidence/note';
import { ActionError } from '../../../components/action-error.tsx';
import { isConflict } from '../../../components/conflict.ts';
import { PlainText } from '../../../components/plain-text.tsx';
import { nameControls } from '../../../components/split-controls.ts';
import { useAction } from '../../../components/use-action.ts';
import { useSecondPerson } from '../../../components/use-second-person.tsx';
import { useSession } from '../../../session/session-context.tsx';
import { useReload } from '../../../session/workspace-query.ts';
import classes from '../trust.module.css';
import { formatAnchorDrafts, readAnchorDrafts } from './anchor-drafts.ts';
import { AnchorForms } from './anchor-forms.tsx';
import { PolicyChanges } from './policy-changes.tsx';
import { compareLines, draftOf, judgeDraft, type PolicyDraft } from './policy-draft.ts';
import { WitnessForms } from './witness-forms.tsx';

const NUMBERS = ['checkpoint_interval_seconds', 'anchor_interval_seconds', 'anchors_required'] as const;
const TEXTS = ['witness_policy', 'anchors'] as const;

/** The policy of the log as forms, and as texts for all that they cannot say; judged as typed, shown as a change. */
export function PolicyEditor({ first }: { readonly first: TrustPolicy }) {
  const { t } = useTranslation();
  const { client } = useSession();
  const reload = useReload();
  const [base, setBase] = useState(first);
  const [draft, setDraft] = useState<PolicyDraft>(() => draftOf(first));
  const [meanwhile, setMeanwhile] = useState<TrustPolicy | null>(null);
  const [isSaved, setSaved] = useState(false);
  const [isAdvanced, setAdvanced] = useState(false);
  const { isBusy, error, run } = useAction();
  const { orAsk, asking } = useSecondPerson();
  const before = draftOf(base);
  const judged = judgeDraft(draft);
  const faults = 'faults' in judged ? judged.faults : {};
  const isChanged = compareLines(JSON.stringify(before, null, 1), JSON.stringify(draft, null, 1)).length > 0;
  // What is typed into a form may not be a policy yet, so that it cannot be read back from the text.
  const [typed, setTyped] = useState<{ readonly text: string; readonly rows: WitnessRows }>();
  const rows = typed?.text === draft.witness_policy ? typed.rows : readWitnessRows(draft.witness_policy);
  const anchors = readAnchorDrafts(draft.anchors);
  // What forms cannot show is a text.
  const isTextShown = isAdvanced || rows === undefined || anchors === undefined;
  const set = (part: Partial<PolicyDraft>) => {
    setSaved(false);
    setDraft({ ...draft, ...part });
  };

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (!('policy' in judged)) return;
    await run(async () => {
      try {
        const policy = { ...judged.policy, version: base.version };
        const saved = await orAsk(
          () => ({ trust_policy: policy }),
          () => client.trust.setPolicy(policy),
        );
        if (saved === undefined) return;
        setBase(saved);
        setDraft(draftOf(saved));
        setMeanwhile(null);
        setSaved(true);
      } catch (refused) {
        if (isConflict(refused)) {
          const now = await client.trust.policy();
          setBase(now);
          setMeanwhile(now);
        }
        throw refused;
      }
      await reload('trust');
    });
  }

  return (
    <section aria-labelledby="policy" className="section">
      <form onSubmit={(event) => void submit(event)}>
        <Stack>
          <Title order={2} size="h4" id="policy">
            {t('policy.title')}
          </Title>
          <Text>{t('policy.text')}</Text>
          <Part title={t('policy.witness_policy')} fault={isTextShown ? undefined : faults.witness_policy}>
            {rows === undefined ? (
              <Text c="dimmed">{t('policyForms.onlyText')}</Text>
            ) : (
              <WitnessForms
                value={rows}
                onChange={(next) => {
                  const text = formatWitnessRows(next);
                  setTyped({ text, rows: next });
                  set({ witness_policy: text });
                }}
              />
            )}
          </Part>
          <Part title={t('policy.anchors')}>
            {anchors === undefined ? (
              <Text c="dimmed">{t('policyForms.onlyText')}</Text>
            ) : (
              <AnchorForms anchors={anchors} onChange={(next) => set({ anchors: formatAnchorDrafts(next) })} />
            )}
          </Part>
          <Part title={t('policyForms.rest')}>
            <div className={classes['fields']}>
              {NUMBERS.map((name) => (
                <TextInput
                  key={name}
                  label={t(`policy.${name}`)}
                  value={draft[name]}
                  onChange={(event) => set({ [name]: event.currentTarget.value })}
                  error={nameControls(faults[name] ?? '')}
                  inputMode="numeric"
                />
              ))}
            </div>
            <Switch
              mt="md"
              checked={draft.public_log}
              onChange={(event) => set({ public_log: event.currentTarget.checked })}
              label={t('policy.public_log')}
              description={t('policy.public_logText')}
            />
            <Switch
              mt="md"
              checked={draft.log_signatures === 'hybrid'}
              onChange={(event) => set({ log_signatures: event.currentTarget.checked ? 'hybrid' : 'ed25519' })}
              label={t('policy.log_signatures')}
              description={t('policy.log_signaturesText')}
            />
          </Part>
          <details open={isTextShown} onToggle={(event) => setAdvanced(event.currentTarget.open)}>
            <summary>{t('policyForms.advanced')}</summary>
            <Stack mt="sm">
              {isTextShown &&
                TEXTS.map((name) => (
                  <Textarea
                    key={name}
                    label={t(`policyForms.texts.${name}`)}
                    description={t(`policy.${name}Text`)}
                    value={draft[name]}
                    onChange={(event) => set({ [name]: event.currentTarget.value })}
                    error={nameControls(faults[name] ?? '')}
                    rows={8}
                    classNames={{ input: 'mono' }}
                    spellCheck={false}
                  />
                ))}
            </Stack>
          </details>
          {isChanged && <PolicyChanges before={before} after={draft} />}
          {meanwhile === null ? (
            <ActionError error={error} />
          ) : (
            <Alert color="yellow" role="alert" title={t('conflict.title')}>
              {t('conflict.text')} {t('policy.version', { version: meanwhile.version })}
            </Alert>
          )}
          {isSaved && (
            <Alert role="status" color="green">
              {t('settings.saved')}
            </Alert>
          )}
          <Group>
            <Button type="submit" loading={isBusy} disabled={!isChanged || 'faults' in judged}>
              {t('policy.save')}
            </Button>
            <Button variant="default" disabled={!isChanged} onClick={() => setDraft(before)}>
              {t('settings.undo')}
            </Button>
            <Text size="sm" c="dimmed">
              {t('policy.version', { version: base.version })}
            </Text>
          </Group>
        </Stack>
      </form>
      {asking}
    </section>
  );
}

type PartProps = { readonly title: string; readonly fault?: string | undefined; readonly children: ReactNode };

/** A part of the policy under its name, with what is wrong in it. */
function Part({ title, fault, children }: PartProps) {
  return (
    <div role="group" aria-label={title}>
      <Title order={3} size="h5" mb="xs">
        {title}
      </Title>
      {children}
      {fault !== undefined && (
        <Text c="red" size="sm" role="alert" mt="xs">
          <PlainText text={fault} />
        </Text>
      )}
    </div>
  );
}
