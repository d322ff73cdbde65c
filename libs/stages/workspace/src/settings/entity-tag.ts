/** The strong entity tag (RFC 9110 section 8.8.3) of a version of the settings. */
export function formatSettingsTag(version: number): string {
  return `"v${version}"`;
}
