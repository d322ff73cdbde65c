import { Switch } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import classes from './settings.module.css';

/** A setting that is on or off. */
export type SwitchName =
  | 'answer_audit_store_question_text'
  | 'answer_audit_store_answer_text'
  | 'answer_audit_accept_text'
  | 'answer_audit_accept_caller_hash'
  | 'answer_audit_keyed_hash_enabled'
  | 'answer_audit_otlp_hash_user_ids'
  | 'answer_audit_proof_links_enabled'
  | 'answer_audit_word_search_enabled';

type Props = { readonly name: SwitchName; readonly isOn: boolean; readonly onChange: (isOn: boolean) => void };

/** A switch with what it leads to either way; the way that is chosen stands out. */
export function SwitchSetting({ name, isOn, onChange }: Props) {
  const { t } = useTranslation();
  return (
    <Switch
      checked={isOn}
      onChange={(event) => onChange(event.currentTarget.checked)}
      label={t(`settings.${name}`)}
      description={
        <>
          {[true, false].map((way) => (
            <span key={String(way)} className={classes['way']} data-chosen={way === isOn}>
              <b>{t(way ? 'settings.ifOn' : 'settings.ifOff')}</b> {t(`consequences.${name}.${way ? 'on' : 'off'}`)}
            </span>
          ))}
        </>
      }
    />
  );
}
