import { actorOf, type Caller } from '@answer-evidence/access';
import { ServiceError, type StreamDestination } from '@answer-evidence/contracts';
import { guardCommand } from '@answer-evidence/ledger';
import { OutboundError, type PemFault, type StoredStream, type Workspace } from '@answer-evidence/ports';
import type { DestinationDeps, StreamDeps } from './deps.ts';
import { noStream, prepareStreamChange, type WantedChange } from './prepare-stream-change.ts';

/** Throws `schema_violation` for a destination that may not be called, or that nobody could reach as it is. */
export function assertReachable(deps: DestinationDeps, destination: StreamDestination | undefined): void {
  if (destination === undefined) return;
  const fault = faultOf(deps, destination);
  if (fault !== undefined) throw new ServiceError('schema_violation', 'the request is invalid', { errors: [fault] });
}

/** Appends the change, prepared anew when another one came first. Throws what it is refused by. */
export async function changeStream(
  deps: StreamDeps,
  workspace: Workspace,
  caller: Caller,
  wanted: WantedChange,
): Promise<void> {
  const actor = actorOf(caller);
  await deps.ledger.append(workspace.id, async () => {
    const stored = await deps.streams.streams(workspace.id);
    return guardCommand(prepareStreamChange(deps, { workspace, stored, actor }, wanted), actor, 'streams');
  });
}

/** A stream of the workspace. Throws `not_found`. */
export async function getStoredStream(
  { streams }: Pick<StreamDeps, 'streams'>,
  workspaceId: string,
  streamId: string,
): Promise<StoredStream> {
  const found = await streams.findStream(workspaceId, streamId);
  if (found === undefined) throw noStream();
  return found;
}

type Fault = { readonly pointer: string; readonly detail: string };

/** None of them repeats anything of what was sent. */
const PEM_FAULTS: Readonly<Record<PemFault['reason'], Pick<Fault, 'detail'>>> = {
  not_certificates: { detail: 'must be certificates in PEM, and nothing else; send their CERTIFICATE blocks' },
  not_a_key: { detail: 'must be one private key in PEM; send its PRIVATE KEY block' },
  encrypted: { detail: 'must be a private key without a passphrase; send a decrypted one' },
  too_large: { detail: 'must be an RSA key of at most 4,096 bits, or one of another kind; send a smaller one' },
  other_pair: { detail: 'must be the key of the first certificate in certificate_pem; send two that belong together' },
  unusable: { detail: 'must be a certificate that TLS accepts with its key; send a pair of a common kind and size' },
};

function faultOf({ outbound, outboundTls }: DestinationDeps, destination: StreamDestination): Fault | undefined {
  if (destination.type === 'syslog') {
    const { host, port, certificate_pem: certificate, key_pem: key } = destination;
    if ((certificate === undefined) !== (key === undefined))
      return {
        pointer: `/destination/${certificate === undefined ? 'certificate_pem' : 'key_pem'}`,
        detail: 'must be sent with the other one of the pair; send both or none',
      };
    const refused = faultOfPlace('host', () => outboundTls.assertPlaceAllowed(host, port));
    if (refused !== undefined) return refused;
    const unusable = outboundTls.judgePems({ ca: destination.ca_pem, certificate, key });
    return unusable && { pointer: `/destination/${unusable.member}_pem`, ...PEM_FAULTS[unusable.reason] };
  }
  const { type, url } = destination;
  const fault = faultOfPlace('url', () => outbound.assertAllowed(url));
  if (fault !== undefined || type === 'https') return fault;
  const { pathname, search } = new URL(url);
  return pathname === '/' && search === ''
    ? undefined
    : { pointer: '/destination/url', detail: 'must have only a scheme, a host and a port' };
}

function faultOfPlace(member: string, judge: () => void): Fault | undefined {
  try {
    judge();
    return undefined;
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    return {
      pointer: `/destination/${member}`,
      detail: `must be an address that may be called; ${error.message}`,
    };
  }
}
