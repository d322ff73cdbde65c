import { Group, NativeSelect } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { mailDigest, type MailTerms, mailTerms } from '@answer-evidence/contracts';
import { nameLanguage } from '../../locales/open-catalogue.ts';

const HOURS = Array.from({ length: 24 }, (_, hour) => ({ value: String(hour), label: `${hour}:00 UTC` }));
const FIRST_HOUR = 7;
const LANGUAGES = mailTerms.shape.language.options;

/** A language of mails, or English where the tag is of another. */
const languageOf = (tag: string) => LANGUAGES.find((one) => one === tag) ?? 'en';

/** What a new address begins with, in the language of the page where mails have it. */
export function firstTerms(language: string): MailTerms {
  return { digest: 'at_once', hour: null, language: languageOf(language) };
}

/** As a request has them. */
export function toRequest({ digest, hour, language }: MailTerms) {
  return { digest, language, ...(hour === null ? {} : { hour }) };
}

type Props = { readonly terms: MailTerms; readonly onChange: (terms: MailTerms) => void };

/** When mails go, and in which language. */
export function MailTermsFields({ terms, onChange }: Props) {
  const { t } = useTranslation();
  return (
    <Group align="end">
      <NativeSelect
        label={t('mailTerms.when')}
        value={terms.digest}
        onChange={(event) => {
          const digest = mailDigest.parse(event.currentTarget.value);
          onChange({ ...terms, digest, hour: digest === 'daily' ? (terms.hour ?? FIRST_HOUR) : null });
        }}
        data={mailDigest.options.map((value) => ({ value, label: t(`mailTerms.digests.${value}`) }))}
      />
      {terms.hour !== null && (
        <NativeSelect
          label={t('mailTerms.hour')}
          value={String(terms.hour)}
          onChange={(event) => onChange({ ...terms, hour: Number(event.currentTarget.value) })}
          data={HOURS}
        />
      )}
      <NativeSelect
        label={t('mailTerms.language')}
        value={terms.language}
        onChange={(event) => onChange({ ...terms, language: languageOf(event.currentTarget.value) })}
        data={LANGUAGES.map((value) => ({ value, label: nameLanguage(value) }))}
      />
    </Group>
  );
}
