import { type StreamDestination, streamDestination } from '@answer-evidence/contracts';

/** A kind of destination. */
export type DestinationType = StreamDestination['type'];
/** What was typed of a destination, by the names of its fields. */
export type DestinationDraft = Readonly<Partial<Record<string, string>>>;

type Field = { readonly name: string; readonly isLong?: true; readonly isSecret?: true; readonly isNumber?: true };

/** The fields of each kind, in their order. */
export const FIELDS: Readonly<Record<DestinationType, readonly Field[]>> = {
  https: [{ name: 'url' }, { name: 'header_name' }, { name: 'header_value', isSecret: true }],
  syslog: [
    { name: 'host' },
    { name: 'port', isNumber: true },
    { name: 'ca_pem', isLong: true },
    { name: 'certificate_pem', isLong: true },
    { name: 'key_pem', isLong: true },
  ],
  s3: [
    ...[{ name: 'url' }, { name: 'bucket' }, { name: 'region' }, { name: 'prefix' }, { name: 'access_key_id' }],
    { name: 'secret_access_key', isSecret: true },
    { name: 'every_seconds', isNumber: true },
  ],
};

/** What a field has before anything is typed: what the service takes where it is left out. */
export const DEFAULTS: DestinationDraft = { port: '6514', region: 'us-east-1', every_seconds: '60', body: 'lines' };

/** The destination that was typed, if it is one, and what is wrong with each field. */
type ReadDraft = {
  readonly destination: StreamDestination | undefined;
  readonly faultOf: (field: string) => string | undefined;
};

/** Reads what was typed as the service would. A field that is empty is left out. */
export function readDraft(type: DestinationType, draft: DestinationDraft): ReadDraft {
  const typed = FIELDS[type].flatMap(({ name, isNumber }) => {
    const text = (draft[name] ?? DEFAULTS[name] ?? '').trim();
    if (text === '') return [];
    return [[name, isNumber === true && /^\d{1,6}$/.test(text) ? Number(text) : text] as const];
  });
  const { header_name: name, header_value: value, ...others } = Object.fromEntries(typed);
  const header = name === undefined && value === undefined ? {} : { header: { name: name ?? '', value: value ?? '' } };
  const body = type === 'https' ? { body: draft['body'] ?? DEFAULTS['body'] } : {};
  const read = streamDestination.safeParse({ type, ...others, ...header, ...body });
  const issues = read.error?.issues ?? [];
  return {
    destination: read.data,
    // What is empty needs no words: the button waits for it.
    faultOf: (field) =>
      (draft[field] ?? '') === '' ? undefined : issues.find(({ path }) => path.join('_') === field)?.message,
  };
}
