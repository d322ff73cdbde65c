import { Input, NativeSelect, PasswordInput, Stack, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { DEFAULTS, type DestinationDraft, type DestinationType, FIELDS } from './destination-drafts.ts';

const TYPES = ['https', 'syslog', 's3'] as const;
const BODIES = ['lines', 'array'] as const;

type Props = {
  readonly type: DestinationType;
  readonly draft: DestinationDraft;
  readonly faultOf: (field: string) => string | undefined;
  readonly onType: (type: DestinationType) => void;
  readonly onChange: (draft: DestinationDraft) => void;
};

/** Where a stream goes and what it is reached with. */
export function DestinationFields({ type, draft, faultOf, onType, onChange }: Props) {
  const { t } = useTranslation();
  return (
    <Stack>
      <NativeSelect
        label={t('streams.destination')}
        value={type}
        onChange={({ currentTarget: { value } }) => onType(TYPES.find((one) => one === value) ?? type)}
        data={TYPES.map((value) => ({ value, label: t(`streams.types.${value}`) }))}
      />
      {FIELDS[type].map(({ name, isLong, isSecret, isNumber }) => {
        const [label, error] = [t(`streams.fields.${name}`), faultOf(name)];
        const typed = { value: draft[name] ?? DEFAULTS[name] ?? '', spellCheck: false, autoComplete: 'off' };
        const change = (value: string) => onChange({ ...draft, [name]: value });
        if (isLong === true)
          return (
            // As a Textarea of its own, its code would go with the first page.
            <Input.Wrapper key={name} id={`destination-${name}`} label={label} error={error}>
              <Input
                component="textarea"
                id={`destination-${name}`}
                {...typed}
                error={error !== undefined}
                onChange={(event) => change(event.currentTarget.value)}
                rows={3}
                multiline
                classNames={{ input: 'mono' }}
              />
            </Input.Wrapper>
          );
        if (isSecret === true)
          return (
            <PasswordInput
              key={name}
              {...{ label, error }}
              {...typed}
              onChange={(event) => change(event.currentTarget.value)}
            />
          );
        return (
          <TextInput
            key={name}
            {...{ label, error }}
            {...typed}
            inputMode={isNumber === true ? 'numeric' : 'text'}
            placeholder={name === 'url' ? 'https://' : undefined}
            onChange={(event) => change(event.currentTarget.value)}
          />
        );
      })}
      {type === 'https' && (
        <NativeSelect
          label={t('streams.body')}
          value={draft['body'] ?? DEFAULTS['body'] ?? ''}
          onChange={(event) => onChange({ ...draft, body: event.currentTarget.value })}
          data={BODIES.map((value) => ({ value, label: t(`streams.bodies.${value}`) }))}
        />
      )}
    </Stack>
  );
}
