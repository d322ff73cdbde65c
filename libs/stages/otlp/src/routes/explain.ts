import { actorOf, boundsOf, type Caller } from '@answer-evidence/access';
import { isWithin, NO_LIMITS, type OtlpExplanation, type OtlpRules } from '@answer-evidence/contracts';
import { canonicalize } from '@answer-evidence/encoding';
import {
  explainBatch,
  findExplainedAnswers,
  type ReadForExplanation,
  type RejectedItem,
  showHashedIds,
} from '@answer-evidence/otlp-mapping';
import { commitmentKey, createHashKeys } from '@answer-evidence/preparation';
import type { OtlpDeps } from '../deps.ts';
import { refuseForeign } from '../inbox/foreign-items.ts';
import { prepareItem } from '../inbox/prepare-item.ts';
import { refuseItem } from '../inbox/refuse-item.ts';

/** Explains a request as if this caller sent it now, by the rules in force or by others. */
type Explain = (
  caller: Caller,
  readBy: (rules: OtlpRules) => ReadForExplanation,
  rules?: OtlpRules,
) => Promise<OtlpExplanation>;

/** An explanation judges each answer as it would be judged on arrival: whose it is, and what the settings say of it. */
export function createExplain(deps: OtlpDeps): Explain {
  const hashKeys = createHashKeys(deps.administration);
  return async (caller, readBy, tried) => {
    const workspace = await deps.directory.get(caller.workspaceId);
    const settings = await deps.readFreshSettings(workspace.id);
    const { values } = settings;
    const rules = tried ?? values.answer_audit_otlp_rules;
    const read = readBy(rules);
    const hashKey = await commitmentKey(hashKeys, workspace, settings);
    const [actorJson, bounds] = [canonicalize(actorOf(caller)), boundsOf(caller) ?? NO_LIMITS];
    const rejected: RejectedItem[] = [];
    for (const answer of findExplainedAnswers(read, rules)) {
      await deps.turn();
      if (!isWithin(bounds, { application_key: answer.applicationKey })) rejected.push(refuseForeign(answer));
      else
        try {
          prepareItem(deps, workspace, settings, hashKey, answer, actorJson);
        } catch (error) {
          rejected.push(refuseItem(answer, error));
        }
    }
    const explanation = explainBatch(read, rules, new Map(rejected.map(({ index, reason }) => [index, reason])));
    return values.answer_audit_otlp_hash_user_ids ? showHashedIds(explanation) : explanation;
  };
}
