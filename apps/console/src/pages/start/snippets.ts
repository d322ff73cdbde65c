/** How an application records its first answer: what to install, if anything, and the lines. */
type Snippet = { readonly install: string | null; readonly lines: (application: string) => string };

/** How an application records its first answer, by what it is made of. `docs/quickstart` explains each. */
export const SNIPPETS = {
  node: {
    install: 'npm install @answer-evidence/sdk openai',
    lines: (application) =>
      [
        "import OpenAI from 'openai';",
        "import { AnswerEvidence } from '@answer-evidence/sdk';",
        "import { observe } from '@answer-evidence/sdk/openai';",
        `const openai = observe(new OpenAI(), new AnswerEvidence({ application: ${JSON.stringify(application)} }));`,
      ].join('\n'),
  },
  python: {
    install: "pip install 'answer-evidence[openai]'",
    lines: (application) =>
      [
        'from openai import OpenAI',
        'from answer_evidence import AnswerEvidence, observe',
        `evidence = AnswerEvidence(${JSON.stringify(application)})`,
        'client = observe(OpenAI(), evidence)',
      ].join('\n'),
  },
  langchain: {
    install: "pip install 'answer-evidence[langchain]'",
    lines: (application) =>
      [
        'from answer_evidence import AnswerEvidence',
        'from answer_evidence.langchain import EvidenceHandler',
        `evidence = AnswerEvidence(${JSON.stringify(application)})`,
        'chain.invoke(question, {"callbacks": [EvidenceHandler(evidence)]})',
      ].join('\n'),
  },
  vercel: {
    install: 'npm install @answer-evidence/sdk ai@7',
    lines: (application) =>
      [
        "import { registerTelemetry } from 'ai';",
        "import { AnswerEvidence } from '@answer-evidence/sdk';",
        "import { evidenceTelemetry } from '@answer-evidence/sdk/ai';",
        `const evidence = new AnswerEvidence({ application: ${JSON.stringify(application)} });`,
        'registerTelemetry(evidenceTelemetry(evidence));',
      ].join('\n'),
  },
  otel: {
    install: 'pip install opentelemetry-exporter-otlp-proto-http',
    lines: (application) =>
      [
        `export OTEL_SERVICE_NAME=${quoteForShell(application)}`,
        'export OTEL_EXPORTER_OTLP_ENDPOINT=$ANSWER_EVIDENCE_URL/api/answer-audit-logs/otel',
        'export OTEL_EXPORTER_OTLP_HEADERS="Authorization=Bearer%20$ANSWER_EVIDENCE_TOKEN"',
      ].join('\n'),
  },
  curl: {
    install: null,
    lines: (application) =>
      [
        'curl -s "$ANSWER_EVIDENCE_URL/api/answer-audit-logs" -H "Authorization: Bearer $ANSWER_EVIDENCE_TOKEN" \\',
        "  -H 'Content-Type: application/json' -d " +
          quoteForShell(
            JSON.stringify({
              application_key: application,
              question: { text: 'Is it waterproof?' },
              answer: { text: 'Yes.' },
            }),
          ),
      ].join('\n'),
  },
} as const satisfies Readonly<Record<string, Snippet>>;

/** One of these. */
type SnippetName = keyof typeof SNIPPETS;
/** Their names, in the order in which they are offered. */
export const SNIPPET_NAMES = Object.keys(SNIPPETS) as readonly SnippetName[];

/** The two variables that every one of them reads. */
export function formatVariables(url: string, token: string): string {
  return `export ANSWER_EVIDENCE_URL=${url}\nexport ANSWER_EVIDENCE_TOKEN=${token}`;
}

/** One word for a POSIX shell, whatever is in it. */
function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
