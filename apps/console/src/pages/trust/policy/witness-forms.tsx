import { Button, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { defaultQuorum, type Quorum, type WitnessRow, type WitnessRows } from '@answer-evidence/note';
import { ActionMenu } from '../../../components/action-menu.tsx';
import { useSession } from '../../../session/session-context.tsx';
import classes from '../trust.module.css';
import { asWord } from './as-word.ts';
import { WITNESSES } from './templates.ts';
import { TestButton } from './test-button.tsx';

const FIELDS = ['name', 'url', 'vkey'] as const;

type Props = { readonly value: WitnessRows; readonly onChange: (value: WitnessRows) => void };

/** A form for each witness, each of which can be tried, how many must cosign, and templates for another one. */
export function WitnessForms({ value: { rows, quorum }, onChange }: Props) {
  const { t } = useTranslation();
  const change = (next: readonly WitnessRow[]) => {
    // A quorum that nobody chose follows the number of witnesses, so who names the first one means it to count.
    const isDefault = quorum === defaultQuorum(rows.length);
    const wanted = isDefault ? defaultQuorum(next.length) : quorum;
    onChange({ rows: next, quorum: typeof wanted === 'number' ? Math.max(1, Math.min(wanted, next.length)) : wanted });
  };
  const add = (row: WitnessRow) => change([...rows, { ...row, name: freeName(row.name, rows) }]);
  return (
    <Stack>
      {rows.length === 0 && <Text c="dimmed">{t('trust.noWitness')}</Text>}
      {rows.map((row, at) => (
        <WitnessForm
          // Its place: a name is typed.
          key={at}
          row={row}
          onChange={(next) => change(rows.map((one, n) => (n === at ? next : one)))}
          onRemove={() => change(rows.filter((_, n) => n !== at))}
        />
      ))}
      <Group align="flex-end">
        <ActionMenu
          title={t('policyForms.addWitness')}
          button={{ variant: 'default' }}
          parts={[
            { kind: 'label', title: t('policyForms.publicWitnesses') },
            ...WITNESSES.map(
              ({ name, value }) => ({ kind: 'item', key: name, title: name, onChoose: () => add(value) }) as const,
            ),
            { kind: 'line' },
            {
              kind: 'item',
              key: 'own',
              title: t('policyForms.ownWitness'),
              onChoose: () => add({ name: 'witness', vkey: '', url: 'https://' }),
            },
          ]}
        />
        {rows.length > 0 && (
          <NativeSelect
            label={t('policyForms.quorum')}
            value={String(quorum)}
            onChange={({ currentTarget: { value } }) => onChange({ rows, quorum: readQuorum(value) })}
            data={[
              { value: 'all', label: t('policyForms.quorums.all') },
              { value: 'any', label: t('policyForms.quorums.any') },
              ...Array.from({ length: Math.max(0, rows.length - 2) }, (_, n) => ({
                value: String(n + 2),
                label: t('policyForms.quorums.some', { count: n + 2 }),
              })),
              ...(typeof quorum === 'number' && (quorum < 2 || quorum >= rows.length)
                ? [{ value: String(quorum), label: t('policyForms.quorums.some', { count: quorum }) }]
                : []),
              { value: 'none', label: t('policyForms.quorums.none') },
            ]}
          />
        )}
      </Group>
    </Stack>
  );
}

type FormProps = {
  readonly row: WitnessRow;
  readonly onChange: (row: WitnessRow) => void;
  readonly onRemove: () => void;
};

function WitnessForm({ row, onChange, onRemove }: FormProps) {
  const { t } = useTranslation();
  const { client } = useSession();
  const { name, vkey, url } = row;
  const source = WITNESSES.find(({ value }) => value.vkey === vkey)?.source;
  return (
    <fieldset className={classes['form']}>
      <legend>{t('lagKinds.witness')}</legend>
      <div className={classes['fields']}>
        {FIELDS.map((field) => (
          <TextInput
            key={field}
            className={field === 'vkey' ? (classes['wide'] ?? '') : ''}
            label={t(`policyForms.fields.witness_${field}`)}
            description={
              field === 'vkey'
                ? t(source === undefined ? 'policyForms.vkeyHint' : 'policyForms.vkeyFrom', { source })
                : undefined
            }
            value={row[field]}
            onChange={(event) => onChange({ ...row, [field]: asWord(event.currentTarget.value) })}
            autoComplete="off"
            spellCheck={false}
          />
        ))}
      </div>
      <TestButton
        name={name}
        isReady={vkey !== '' && url !== ''}
        onTest={async () => client.trust.testWitness({ vkey, url })}
      >
        <Button variant="subtle" color="red" aria-label={t('policyForms.removeOf', { name })} onClick={onRemove}>
          {t('policyForms.remove')}
        </Button>
      </TestButton>
    </fieldset>
  );
}

function readQuorum(value: string): Quorum {
  return value === 'all' || value === 'any' || value === 'none' ? value : Number(value);
}

/** The name, with a number where another witness has it. */
function freeName(name: string, rows: readonly WitnessRow[]): string {
  const isFree = (one: string) => rows.every((row) => row.name !== one);
  if (isFree(name)) return name;
  for (let n = 2; ; n++) if (isFree(`${name}-${n}`)) return `${name}-${n}`;
}
