import { useState } from 'react';
import type { RevealRequest, SearchSession } from '@answer-evidence/contracts';
import { useSession } from '../session/session-context.tsx';

/** A reason that was given for searching texts, and the session that the service made of it. */
type OpenSearch = SearchSession & { readonly reason: RevealRequest };

/** The reason for searching texts: given once, kept in this page's memory, and gone when it ends. */
export function useSearchSession(): {
  readonly open: OpenSearch | undefined;
  readonly begin: (reason: RevealRequest) => Promise<void>;
} {
  const { client } = useSession();
  const [open, setOpen] = useState<OpenSearch>();
  return {
    open: open !== undefined && Date.parse(open.expires_at) > Date.now() ? open : undefined,
    begin: async (reason) => setOpen({ ...(await client.search.openSession(reason)), reason }),
  };
}
