import { useNavigate } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import type { RequestedAct } from '@answer-evidence/contracts';
import { withLaterTexts } from '../locales/open-catalogue.ts';
import { useSession } from '../session/session-context.tsx';
import { needsApproval } from './conflict.ts';

const AskDialog = lazy(async () => {
  const { AskDialog: asking } = await withLaterTexts(import('../pages/approvals/ask-dialog.tsx'));
  return { default: asking };
});

type Asking = { readonly act: RequestedAct; readonly onEnd: (isAsked: boolean) => void };

type SecondPerson = {
  /**
   * Sends an act. Where it needs a second person, it asks for one by the same act, shows the request, and resolves to
   * undefined. Whoever does not want to ask gets the refusal, with all that they typed.
   */
  readonly orAsk: <Done>(act: () => RequestedAct, send: () => Promise<Done>) => Promise<Done | undefined>;
  /** The dialog, while it asks. It belongs outside of the form that sends: what is submitted in it would be, too. */
  readonly asking: ReactNode;
};

/** What the reader may not do alone, they ask a second person for. */
export function useSecondPerson(): SecondPerson {
  const { client } = useSession();
  const navigate = useNavigate();
  const [open, setOpen] = useState<Asking>();
  return {
    async orAsk(act, send) {
      try {
        return await send();
      } catch (refused) {
        if (!needsApproval(refused)) throw refused;
        const asked = act();
        const isAsked = await new Promise<boolean>((onEnd) => setOpen({ act: asked, onEnd }));
        if (!isAsked) throw refused;
        void navigate({ to: '/approvals' });
        return undefined;
      }
    },
    asking: open !== undefined && (
      <Suspense>
        <AskDialog
          act={open.act}
          onAsk={async (reason) => {
            await client.approvals.request({ reason, ...open.act });
            open.onEnd(true);
          }}
          onClose={() => {
            open.onEnd(false);
            setOpen(undefined);
          }}
        />
      </Suspense>
    ),
  };
}
