type Issue = { readonly path: readonly PropertyKey[]; readonly message: string; readonly keys?: readonly string[] };

/** What a schema found wrong, place by place. Values are never part of it. */
export function formatIssues(issues: readonly Issue[]): string {
  return issues.map(formatIssue).join('; ');
}

function formatIssue(issue: Issue): string {
  const place = `/${issue.path.map(String).join('/')}`;
  return issue.keys === undefined
    ? `${place} ${issue.message}`
    : `${place} has unknown fields: ${issue.keys.join(', ')}`;
}
