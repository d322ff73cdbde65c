import type { Token } from '@answer-evidence/pkcs11';

/** What the settings say of a token of PKCS#11. */
export type TokenSettings = {
  readonly PKCS11_MODULE?: string | undefined;
  readonly PKCS11_TOKEN?: string | undefined;
  readonly PKCS11_PIN?: string | undefined;
  readonly PKCS11_PACKAGE?: string | undefined;
};

/** The token of the settings, not yet logged in to; undefined where they name none. Anyone who opens it closes it. */
export async function openTokenOf(settings: TokenSettings, deadlineMs: number): Promise<Token | undefined> {
  const { PKCS11_MODULE: module, PKCS11_TOKEN: token, PKCS11_PIN: pin, PKCS11_PACKAGE: packageFolder } = settings;
  if (module === undefined || token === undefined || pin === undefined) return undefined;
  const { openToken } = await import('@answer-evidence/pkcs11');
  return openToken({ module, token, pin, packageFolder }, { deadlineMs });
}
