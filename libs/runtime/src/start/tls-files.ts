import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { assertTlsPair, type TlsPair } from '@answer-evidence/http-edge';
import type { Config } from '../ground/config.ts';
import type { Report } from '../ground/report.ts';
import { StartError } from '../ground/start-error.ts';

type TlsSettings = Pick<Config, 'SERVICE_TLS_CERT_FILE' | 'SERVICE_TLS_KEY_FILE'>;

/** How often the files are looked at. Watching tells nothing of a folder that is mounted anew or of a link. */
const LOOK_MS = 2_000;
const DAY_MS = 86_400_000;
/** For how many days before its end a certificate is reported. */
const WARN_DAYS = 14;

/** The pair that the settings name; undefined where they name none. Throws `StartError` for one that cannot be used. */
export async function readTlsFiles(settings: TlsSettings): Promise<TlsPair | undefined> {
  const { SERVICE_TLS_CERT_FILE: certFile, SERVICE_TLS_KEY_FILE: keyFile } = settings;
  if (certFile === undefined || keyFile === undefined) return undefined;
  const [cert, key] = await Promise.all([
    readSetting('SERVICE_TLS_CERT_FILE', certFile),
    readSetting('SERVICE_TLS_KEY_FILE', keyFile),
  ]);
  try {
    assertTlsPair({ cert, key });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : '';
    throw new StartError(
      `SERVICE_TLS_CERT_FILE and SERVICE_TLS_KEY_FILE are not a certificate and its key${code}; set them to a PEM ` +
        'file of the certificate with its chain, and to one of its key without a passphrase',
      { cause: error },
    );
  }
  return { cert, key };
}

async function readSetting(name: string, path: string): Promise<Uint8Array> {
  try {
    return await readFile(path);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : '';
    throw new StartError(`${name} cannot be read${code}; set it to a file that the service may read`, { cause: error });
  }
}

/**
 * Gives each further pair that the files hold to `use`, until what it returns is called. What cannot be used is
 * reported once, and the pair before it stays. One that ends soon is reported once a day.
 */
export function followTlsFiles(
  settings: TlsSettings,
  first: TlsPair,
  use: (pair: TlsPair) => void,
  report: Report,
): () => void {
  let current = first;
  let reported = '';
  let warned: string | undefined;
  function warn(): void {
    const warning = warnOfEnd(current.cert, Date.now());
    if (warning !== undefined && warning !== warned) report(warning);
    warned = warning;
  }
  async function look(): Promise<void> {
    try {
      const pair = await readTlsFiles(settings);
      reported = '';
      if (pair === undefined || isSame(pair, current)) return;
      use(pair);
      current = pair;
      report('TLS certificate renewed');
    } catch (error) {
      const reason = error instanceof Error ? error.message : 'unknown';
      if (reason !== reported) report(`the previous TLS certificate stays in use: ${reason}`);
      reported = reason;
    }
  }
  let isLooking = false;
  const timer = setInterval(() => {
    if (isLooking) return;
    isLooking = true;
    void look().finally(() => {
      isLooking = false;
      warn();
    });
  }, LOOK_MS).unref();
  return () => clearInterval(timer);
}

/** What to report of a certificate that ends soon, or has ended; another text each day. */
export function warnOfEnd(cert: Uint8Array, nowMs: number): string | undefined {
  const endMs = Date.parse(new X509Certificate(cert).validTo);
  const days = Math.floor(Math.abs(endMs - nowMs) / DAY_MS);
  const isOver = endMs <= nowMs;
  if (!isOver && days >= WARN_DAYS) return undefined;
  const end = `${isOver ? 'ended' : 'ends'} at ${new Date(endMs).toISOString()}, ${days} days ${isOver ? 'ago' : 'from now'}`;
  return `the TLS certificate ${end}: renew the file that SERVICE_TLS_CERT_FILE names`;
}

function isSame(a: TlsPair, b: TlsPair): boolean {
  return Buffer.compare(a.cert, b.cert) === 0 && Buffer.compare(a.key, b.key) === 0;
}
