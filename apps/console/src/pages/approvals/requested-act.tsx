import type { Approval } from '@answer-evidence/contracts';
import { PlainText } from '../../components/plain-text.tsx';

/** What exactly was asked for, as it would be sent. */
export function RequestedAct({ one: { reason, request } }: { readonly one: Approval }) {
  return (
    <>
      <p className="wrapped">
        <PlainText text={reason} />
      </p>
      {request !== null && (
        <pre className="wrapped mono">
          <PlainText text={JSON.stringify(request, null, 2)} />
        </pre>
      )}
    </>
  );
}
