import type { Approval } from '@answer-evidence/contracts';
import { PlainText } from '../../components/plain-text.tsx';
import { ExportInWords, readAskedExport } from './asked-export.tsx';

/** What exactly was asked for: an export in words, anything else as it would be sent. */
export function RequestedAct({ one: { reason, request } }: { readonly one: Approval }) {
  const asked = readAskedExport(request);
  return (
    <>
      <p className="wrapped">
        <PlainText text={reason} />
      </p>
      {asked !== undefined && <ExportInWords asked={asked} />}
      {asked === undefined && request !== null && (
        <pre className="wrapped mono">
          <PlainText text={JSON.stringify(request, null, 2)} />
        </pre>
      )}
    </>
  );
}
