import { type Case, judgeBy, type Verdict } from '../../conformance/run.mjs';
import { type Verifier, VERIFIERS } from './verifiers.ts';

/** The verdicts of both verifiers on each case, and where they differ. Checks that need the service are its own. */
export async function judgeTwice(
  cases: readonly Case[],
): Promise<{ readonly agreed: readonly Verdict[]; readonly differences: readonly string[] }> {
  const judge = async ({ command, args, env }: Verifier): Promise<readonly Verdict[]> => {
    const verdicts: Verdict[] = [];
    for await (const verdict of judgeBy(command, args, cases, env)) verdicts.push(verdict);
    return verdicts;
  };
  const [own, other] = await Promise.all([judge(VERIFIERS[0]), judge(VERIFIERS[1])]);
  const agreed = other.map(({ refused, outcomes }) => (refused ? { refused } : { outcomes: outcomes ?? {} }));
  const differences = cases.flatMap(({ id }, n) =>
    differencesOf(own[n], agreed[n]).map((difference) => `${id}: ${difference}`),
  );
  return { agreed, differences };
}

function differencesOf(own: Verdict = {}, other: Verdict = {}): readonly string[] {
  if (own.refused !== other.refused) return [`is refused by one verifier alone`];
  return Object.entries(other.outcomes ?? {})
    .filter(([check, outcome]) => own.outcomes?.[check] !== outcome)
    .map(([check, outcome]) => `${check} is ${own.outcomes?.[check]} in TypeScript and ${outcome} in Python`);
}
