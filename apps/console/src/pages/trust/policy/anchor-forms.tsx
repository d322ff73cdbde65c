import { Button, Group, Stack, Switch, Text, Textarea, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { type AnchorRequest, anchorRequest, ANCHORS_MAX } from '@answer-evidence/contracts';
import { ActionMenu } from '../../../components/action-menu.tsx';
import { useSession } from '../../../session/session-context.tsx';
import classes from '../trust.module.css';
import { type AnchorDraft, fieldsOf } from './anchor-drafts.ts';
import { ANCHOR_FORMS, AUTHORITIES } from './templates.ts';
import { TestButton } from './test-button.tsx';

type Props = { readonly anchors: readonly AnchorDraft[]; readonly onChange: (anchors: readonly AnchorDraft[]) => void };

/** A form for each anchor, each of which can be tried, and templates for another one. */
export function AnchorForms({ anchors, onChange }: Props) {
  const { t } = useTranslation();
  const add = (value: AnchorRequest) => onChange([...anchors, { ...value, id: freeId(value.id, anchors) }]);
  return (
    <Stack>
      {anchors.length === 0 && <Text c="dimmed">{t('policyForms.noAnchor')}</Text>}
      {anchors.map((anchor, at) => (
        <AnchorForm
          // Its place: an id is typed.
          key={at}
          anchor={anchor}
          isTaken={anchors.some((one, n) => n !== at && one.id === anchor.id)}
          onChange={(next) => onChange(anchors.map((one, n) => (n === at ? next : one)))}
          onRemove={() => onChange(anchors.filter((_, n) => n !== at))}
        />
      ))}
      {anchors.length < ANCHORS_MAX && (
        <Group>
          <ActionMenu
            title={t('policyForms.addAnchor')}
            button={{ variant: 'default' }}
            parts={[
              { kind: 'label', title: t('policyForms.publicAuthorities') },
              ...AUTHORITIES.map(
                ({ name, value }) => ({ kind: 'item', key: name, title: name, onChoose: () => add(value) }) as const,
              ),
              { kind: 'line' },
              ...ANCHOR_FORMS.map(
                ({ key, value }) =>
                  ({ kind: 'item', key, title: t(`policyForms.kinds.${key}`), onChoose: () => add(value) }) as const,
              ),
            ]}
          />
        </Group>
      )}
    </Stack>
  );
}

type FormProps = {
  readonly anchor: AnchorDraft;
  /** Another anchor has its id. */
  readonly isTaken: boolean;
  readonly onChange: (anchor: AnchorDraft) => void;
  readonly onRemove: () => void;
};

function AnchorForm({ anchor, isTaken, onChange, onRemove }: FormProps) {
  const { t } = useTranslation();
  const { client } = useSession();
  const { type, id } = anchor;
  const wanted = anchorRequest.safeParse(anchor);
  const faultOf = (name: string) =>
    wanted.error?.issues.find(({ path }) => path[0] === name)?.message ??
    (name === 'id' && isTaken ? t('policyForms.taken') : undefined);
  const source = AUTHORITIES.find(({ value }) => 'url' in value && value.url === anchor.url)?.source;
  const set = (name: string, value: unknown) => {
    const { [name]: _, ...others } = anchor;
    onChange({ ...anchor, ...(value === '' && name === 'secret_access_key' ? others : { ...others, [name]: value }) });
  };
  return (
    <fieldset className={classes['form']}>
      <legend>{t(`policyForms.kinds.${type}`)}</legend>
      <div className={classes['fields']}>
        {fieldsOf(type).map(({ name, isLong, isNumber }) =>
          isLong === true ? (
            <Textarea
              key={name}
              className={classes['wide'] ?? ''}
              label={t(`policyForms.fields.${name}`)}
              description={
                name === 'log_keys'
                  ? t('policyForms.logKeysHint')
                  : source === undefined
                    ? t('policyForms.certificateHint')
                    : t('policyForms.certificateFrom', { source })
              }
              value={textOf(anchor[name])}
              error={faultOf(name)}
              onChange={(event) => set(name, event.currentTarget.value)}
              rows={4}
              classNames={{ input: 'mono' }}
              spellCheck={false}
            />
          ) : (
            <TextInput
              key={name}
              label={t(`policyForms.fields.${name}`)}
              placeholder={name === 'secret_access_key' ? t('policyForms.secretKept') : undefined}
              type={name === 'secret_access_key' ? 'password' : 'text'}
              autoComplete="off"
              inputMode={isNumber === true ? 'numeric' : 'text'}
              value={textOf(anchor[name])}
              error={faultOf(name)}
              onChange={({ currentTarget: { value } }) =>
                set(name, isNumber === true && /^\d{1,6}$/.test(value) ? Number(value) : value)
              }
              spellCheck={false}
            />
          ),
        )}
      </div>
      {type !== 'file' && (
        <Switch
          checked={anchor['required'] === true}
          onChange={(event) => set('required', event.currentTarget.checked)}
          label={t('policyForms.fields.required')}
          description={t('policyForms.requiredText')}
        />
      )}
      <TestButton
        name={id}
        isReady={wanted.success}
        onTest={async () => client.trust.testAnchor(anchorRequest.parse(anchor))}
      >
        <Button variant="subtle" color="red" aria-label={t('policyForms.removeOf', { name: id })} onClick={onRemove}>
          {t('policyForms.remove')}
        </Button>
      </TestButton>
    </fieldset>
  );
}

/** The id, with a number where another anchor has it. */
function freeId(id: string, anchors: readonly AnchorDraft[]): string {
  const isFree = (one: string) => anchors.every((anchor) => anchor.id !== one);
  if (isFree(id)) return id;
  for (let n = 2; ; n++) if (isFree(`${id}-${n}`)) return `${id}-${n}`;
}

function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}
