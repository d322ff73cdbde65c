/** What a version has, as its section of the changelog says. */
export type Notes = { readonly text: string; readonly date: string | undefined };

/**
 * Finds the section of a version: `## [1.2.3] - 2030-01-31`, without a date while it is not released.
 * Throws where there is none, or nothing in it.
 */
export function readNotes(changelog: string, version: string): Notes {
  const sections = changelog.split(/^## /m).slice(1);
  const section = sections.find((text) => text.startsWith(`[${version}]`));
  if (section === undefined) throw new Error(`CHANGELOG.md has no section "## [${version}]": write what is new in it`);
  const [heading = '', ...lines] = section.split('\n');
  const text = lines.join('\n').trim();
  if (text === '') throw new Error(`CHANGELOG.md says nothing of ${version}: write what is new in it`);
  return { text: `${text}\n`, date: / - (\d{4}-\d{2}-\d{2})$/.exec(heading)?.[1] };
}
