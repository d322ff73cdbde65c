import { type ReconciliationFinding, timestamp } from '@answer-evidence/contracts';
import { PlainText } from '../../../components/plain-text.tsx';
import { Time } from '../../../components/time.tsx';

/** What a finding says beside its type, a member per line. */
export function FindingDetail({ detail }: Pick<ReconciliationFinding, 'detail'>) {
  return Object.entries(detail).map(([name, value]) => (
    <div key={name}>
      <span className="muted">
        <PlainText text={name} />
      </span>{' '}
      {timestamp.safeParse(value).success ? (
        <Time at={String(value)} />
      ) : (
        <PlainText text={typeof value === 'object' ? JSON.stringify(value) : String(value)} />
      )}
    </div>
  ));
}
