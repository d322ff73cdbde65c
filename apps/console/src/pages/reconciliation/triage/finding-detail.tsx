import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { type ReconciliationFinding, timestamp } from '@answer-evidence/contracts';
import { PlainText } from '../../../components/plain-text.tsx';
import { Time } from '../../../components/time.tsx';

const NAMES = new Set([
  ...['reason', 'occurred_at', 'provisional', 'created_at', 'record_status', 'fields', 'referenced', 'recorded'],
  ...['max_lateness_seconds', 'late_by_seconds', 'leaf_index', 'anchored_tree_size', 'first_answer_log_id'],
  ...['question', 'answer', 'times', 'differ', 'match_value'],
]);
const VALUES = new Set([
  ...['no_record', 'hash_mismatch', 'question', 'answer', 'same', 'different', 'not_given', 'not_comparable'],
  ...['recorded', 'corrected', 'voided', 'redacted'],
]);

/** What a finding says beside its type, a member per line. What the catalogue has no words for is shown as it came. */
export function FindingDetail({ detail }: Pick<ReconciliationFinding, 'detail'>) {
  const { t } = useTranslation();
  return Object.entries(detail)
    .filter(([name, value]) => !(name === 'provisional' && value === false))
    .map(([name, value]) => (
      <div key={name}>
        <span className="muted">{NAMES.has(name) ? t(`details.${name}`) : <PlainText text={name} />}</span>{' '}
        <Value t={t} name={name} value={value} />
      </div>
    ));
}

function Value({ t, name, value }: { readonly t: TFunction; readonly name: string; readonly value: unknown }) {
  if (Array.isArray(value))
    return value.map((one, at) => (
      <span key={at}>
        {at > 0 && ', '}
        <Value t={t} name={name} value={one} />
      </span>
    ));
  if (typeof value === 'boolean') return t(value ? 'common.yes' : 'common.no');
  if (timestamp.safeParse(value).success) return <Time at={String(value)} />;
  if (typeof value === 'string' && name !== 'match_value' && VALUES.has(value)) return t(`detailValues.${value}`);
  return <PlainText text={typeof value === 'string' ? value : JSON.stringify(value)} />;
}
