import type { AnchorRequest } from '@answer-evidence/contracts';
import type { WitnessRow } from '@answer-evidence/note';

/** Something public that a form can begin with, and where its operator says what has to be compared. */
type Template<T> = { readonly name: string; readonly source: string; readonly value: T };

const AUTHORITY = { type: 'rfc3161', certificate_pem: '', required: true } as const;

/** Time-stamping authorities that answer over https without an account. Their certificate comes from them alone. */
export const AUTHORITIES: readonly Template<AnchorRequest>[] = [
  {
    name: 'FreeTSA',
    source: 'https://freetsa.org/files/cacert.pem',
    value: { ...AUTHORITY, id: 'freetsa', url: 'https://freetsa.org/tsr' },
  },
  {
    name: 'Sigstore',
    source: 'https://timestamp.sigstore.dev/api/v1/timestamp/certchain',
    value: { ...AUTHORITY, id: 'sigstore', url: 'https://timestamp.sigstore.dev/api/v1/timestamp' },
  },
];

/** Anchors of every other kind, with nothing filled in that somebody has to know. */
export const ANCHOR_FORMS: readonly { readonly key: string; readonly value: AnchorRequest }[] = [
  { key: 'rfc3161', value: { ...AUTHORITY, id: 'authority', url: 'https://' } },
  {
    key: 'object-lock',
    value: {
      ...{ id: 'bucket', type: 'object-lock', url: 'https://', bucket: '', region: 'us-east-1', prefix: '' },
      ...{ retention_days: 3_650, access_key_id: '', required: true },
    },
  },
  { key: 'rekor', value: { id: 'rekor', type: 'rekor', url: 'https://', log_keys: '', required: true } },
  { key: 'file', value: { id: 'copy', type: 'file' } },
];

/** Public witnesses that cosign with Ed25519. Each asks that a log is made known to it first. */
export const WITNESSES: readonly Template<WitnessRow>[] = [
  {
    name: 'Geomys',
    source: 'https://navigli.sunlight.geomys.org/',
    value: {
      name: 'geomys',
      vkey: 'witness.navigli.sunlight.geomys.org+a3e00fe2+BNy/co4C1Hn1p+INwJrfUlgz7W55dSZReusH/GhUhJ/G',
      url: 'https://witness.navigli.sunlight.geomys.org',
    },
  },
  {
    name: 'Mullvad',
    source: 'https://witness.stagemole.eu/about',
    value: {
      name: 'mullvad',
      vkey: 'witness.stagemole.eu+67f7aea0+BEqSG3yu9YrmcM3BHvQYTxwFj3uSWakQepafafpUqklv',
      url: 'https://witness.stagemole.eu',
    },
  },
  {
    name: 'Remora',
    source: 'https://remora.n621.de/',
    value: {
      name: 'remora',
      vkey: 'remora.n621.de+da77ade7+BOvN63jn/bLvkieywe8R6UYAtVtNbZpXh34x7onlmtw2',
      url: 'https://remora.n621.de',
    },
  },
];
