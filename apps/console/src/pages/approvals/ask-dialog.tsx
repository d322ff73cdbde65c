import { useTranslation } from 'react-i18next';
import { APPROVAL_REASON_LENGTH_MAX, type RequestedAct } from '@answer-evidence/contracts';
import { ReasonDialog } from '../../components/reason-dialog.tsx';
import { ExportInWords, readAskedExport } from './asked-export.tsx';

type Props = {
  readonly act: RequestedAct;
  /** Asks. What it throws is shown, and the reason stays. */
  readonly onAsk: (reason: string) => Promise<void>;
  readonly onClose: () => void;
};

/** Asks why a second person should approve what one may not do alone. */
export function AskDialog({ act, onAsk, onClose }: Props) {
  const { t } = useTranslation();
  const asked = readAskedExport(act);
  return (
    <ReasonDialog
      title={t('approvals.askTitle')}
      consequence={t(asked === undefined ? 'approvals.askText' : 'askedExports.askText')}
      action={t('approvals.ask')}
      reasonMax={APPROVAL_REASON_LENGTH_MAX}
      onConfirm={onAsk}
      onClose={onClose}
    >
      {asked !== undefined && <ExportInWords asked={asked} />}
    </ReasonDialog>
  );
}
