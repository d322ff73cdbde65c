import { useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, use, useCallback, useEffect, useMemo, useState } from 'react';
import { ApiError, type Call, type Client } from '@answer-evidence/client';
import type { ConsoleDeviceLogin, CreatedEvidenceAsset } from '@answer-evidence/contracts';
import { ACCESS_MATRIX, type Right } from '@answer-evidence/contracts/operations';
import { openClient } from '../api/open-client.ts';
import { readBytes } from '../api/read-bytes.ts';
import { decideDevice, findDevice, readSession, type Session, signOut } from '../api/session.ts';
import { type Upload, uploadEvidence } from '../api/upload-evidence.ts';
import { ErrorState } from '../components/error-state.tsx';
import { Waiting } from '../components/waiting.tsx';
import { ExpiredDialog } from './expired-dialog.tsx';
import { SignInPage } from './sign-in-page.tsx';

/** Whatever is asked for through it notices when the session has ended. */
type SessionValue = {
  readonly session: Session;
  readonly client: Client;
  readonly readBytes: (call: Call) => Promise<Uint8Array>;
  readonly upload: (upload: Upload) => Promise<CreatedEvidenceAsset>;
  readonly devices: {
    readonly find: (code: string) => Promise<ConsoleDeviceLogin>;
    readonly decide: (code: string, decision: 'approve' | 'deny') => Promise<void>;
  };
  /** Whether the role of the reader has a right; the service decides, and where it holds. */
  readonly may: (right: Right) => boolean;
  readonly leave: (everywhere: boolean) => Promise<void>;
};
type State =
  | { readonly kind: 'asking' }
  | { readonly kind: 'failed'; readonly error: unknown }
  | { readonly kind: 'nobody' }
  | { readonly kind: 'open' | 'expired'; readonly session: Session };

const SessionContext = createContext<SessionValue | null>(null);

/** Who is signed in, and the client whose requests they make. Only pages within `SessionProvider` may ask. */
export function useSession(): SessionValue {
  const value = use(SessionContext);
  if (value === null) throw new Error('useSession is used outside of SessionProvider');
  return value;
}

type Props = {
  /** The session of this browser, which was asked for before anything is shown. */
  readonly asked: Promise<Session | null>;
  readonly children: ReactNode;
};

/**
 * Shows its children to people who signed in, and the form to everyone else, at the same address. When a session
 * expires, the page stays as it is below the form, so that nothing that was typed is lost.
 */
export function SessionProvider({ asked, children }: Props) {
  const queries = useQueryClient();
  const [state, setState] = useState<State>({ kind: 'asking' });
  const take = useCallback((asking: Promise<Session | null>) => {
    asking.then(
      (session) => setState(session === null ? { kind: 'nobody' } : { kind: 'open', session }),
      (error: unknown) => setState({ kind: 'failed', error }),
    );
  }, []);
  useEffect(() => take(asked), [take, asked]);

  const session = state.kind === 'open' || state.kind === 'expired' ? state.session : null;
  const value = useMemo<SessionValue | null>(() => {
    if (session === null) return null;
    const expire = () => setState((now) => (now.kind === 'open' ? { kind: 'expired', session: now.session } : now));
    const { csrf_token: csrfToken } = session;
    async function watch<T>(asked: Promise<T>): Promise<T> {
      try {
        return await asked;
      } catch (error) {
        if (error instanceof ApiError && error.status === 401) expire();
        throw error;
      }
    }
    return {
      session,
      client: openClient(csrfToken, expire),
      readBytes: (call) => watch(readBytes(call, csrfToken)),
      upload: (upload) => watch(uploadEvidence(upload, csrfToken)),
      devices: {
        find: (code) => watch(findDevice(csrfToken, code)),
        decide: (code, decision) => watch(decideDevice(csrfToken, code, decision)),
      },
      may: (right) => ACCESS_MATRIX[right].people.includes(session.member.access?.role ?? session.member.role),
      async leave(everywhere) {
        await signOut(csrfToken, everywhere);
        queries.clear();
        setState({ kind: 'nobody' });
      },
    };
  }, [session, queries]);

  const enter = useCallback(
    (next: Session) => {
      const isSame = session?.workspace.id === next.workspace.id && session.member.id === next.member.id;
      if (!isSame) queries.clear();
      setState({ kind: 'open', session: next });
      if (isSame) void queries.invalidateQueries();
    },
    [session, queries],
  );

  if (state.kind === 'asking') return <Waiting />;
  if (state.kind === 'failed')
    return (
      <ErrorState
        error={state.error}
        onRetry={() => {
          setState({ kind: 'asking' });
          take(readSession());
        }}
      />
    );
  if (state.kind === 'nobody' || value === null) return <SignInPage onSession={enter} />;
  return (
    // Pages of somebody else must not keep what the one before them typed.
    <SessionContext value={value} key={`${value.session.workspace.id} ${value.session.member.id}`}>
      {children}
      {state.kind === 'expired' && <ExpiredDialog session={value.session} onSession={enter} />}
    </SessionContext>
  );
}
