/** How an application records its first answer, by what it is made of. `docs/quickstart` explains each. */
export const SNIPPETS = {
  node: (application: string) =>
    [
      "import { AnswerEvidence } from '@answer-evidence/sdk';",
      "import { observe } from '@answer-evidence/sdk/openai';",
      `const openai = observe(new OpenAI(), new AnswerEvidence({ application: ${JSON.stringify(application)} }));`,
    ].join('\n'),
  python: (application: string) =>
    [
      'from answer_evidence import AnswerEvidence, observe',
      `evidence = AnswerEvidence(${JSON.stringify(application)})`,
      'client = observe(OpenAI(), evidence)',
    ].join('\n'),
  curl: (application: string) =>
    [
      'curl -s "$ANSWER_EVIDENCE_URL/api/answer-audit-logs" -H "Authorization: Bearer $ANSWER_EVIDENCE_TOKEN" \\',
      "  -H 'Content-Type: application/json' -d '" +
        JSON.stringify({
          application_key: application,
          question: { text: 'Is it waterproof?' },
          answer: { text: 'Yes.' },
        }).replaceAll("'", String.raw`'\''`) +
        "'",
    ].join('\n'),
} as const;

/** One of these. */
type SnippetName = keyof typeof SNIPPETS;
/** Their names, in the order in which they are offered. */
export const SNIPPET_NAMES = Object.keys(SNIPPETS) as readonly SnippetName[];

/** The two variables that every one of them reads. */
export function formatVariables(url: string, token: string): string {
  return `export ANSWER_EVIDENCE_URL=${url}\nexport ANSWER_EVIDENCE_TOKEN=${token}`;
}
