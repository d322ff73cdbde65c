import {
  type LogSignatures,
  type PutTrustPolicyRequest,
  putTrustPolicyRequest,
  type TrustPolicy,
} from '@answer-evidence/contracts';

/** A policy as it stands in the form: texts. */
export type PolicyDraft = {
  readonly checkpoint_interval_seconds: string;
  readonly anchor_interval_seconds: string;
  readonly anchors_required: string;
  readonly public_log: boolean;
  readonly log_signatures: LogSignatures;
  readonly witness_policy: string;
  /** JSON: a list. */
  readonly anchors: string;
};

/** What a draft is: a policy that can be sent, or its faults by field. */
type JudgedDraft =
  | { readonly policy: PutTrustPolicyRequest }
  | { readonly faults: Readonly<Partial<Record<keyof PolicyDraft, string>>> };

/** The form for a policy. */
export function draftOf(policy: TrustPolicy): PolicyDraft {
  return {
    checkpoint_interval_seconds: String(policy.checkpoint_interval_seconds),
    anchor_interval_seconds: String(policy.anchor_interval_seconds),
    anchors_required: String(policy.anchors_required),
    public_log: policy.public_log,
    log_signatures: policy.log_signatures,
    witness_policy: policy.witness_policy,
    anchors: JSON.stringify(policy.anchors, null, 2),
  };
}

/** Holds a draft to what the service will check first. Its own words come with the reply. */
export function judgeDraft(draft: PolicyDraft): JudgedDraft {
  const numbers = ['checkpoint_interval_seconds', 'anchor_interval_seconds', 'anchors_required'] as const;
  const parsed = putTrustPolicyRequest.safeParse({
    ...Object.fromEntries(
      numbers.map((name) => [name, /^\d{1,9}$/.test(draft[name].trim()) ? Number(draft[name]) : draft[name]]),
    ),
    public_log: draft.public_log,
    log_signatures: draft.log_signatures,
    witness_policy: draft.witness_policy,
    anchors: parseJson(draft.anchors),
  });
  if (parsed.success) return { policy: parsed.data };
  const faults: Record<string, string> = {};
  for (const { path, message } of parsed.error.issues) {
    const [field = '', ...rest] = path.map(String);
    const words = rest.length === 0 ? message : `${rest.join('.')}: ${message}`;
    faults[field] = faults[field] === undefined ? words : `${faults[field]}; ${words}`;
  }
  return { faults };
}

/** Lines that a change removes and adds, in the order in which they stand. */
export function compareLines(
  before: string,
  after: string,
): readonly { readonly isAdded: boolean; readonly line: string }[] {
  const [old, next] = [before.split('\n'), after.split('\n')];
  return [
    ...withoutThose(old, next).map((line) => ({ isAdded: false, line })),
    ...withoutThose(next, old).map((line) => ({ isAdded: true, line })),
  ];
}

/** A member of `lines` is left out once for each time that it is among `others`. */
function withoutThose(lines: readonly string[], others: readonly string[]): readonly string[] {
  const left = [...others];
  return lines.filter((line) => {
    const at = left.indexOf(line);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
