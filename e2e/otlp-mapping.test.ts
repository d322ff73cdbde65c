import { afterAll, describe, expect, it } from '@jest/globals';
import { runCliCommand, until } from '../tools/scenery/service-process.ts';
import { answer, openTestService } from '../tools/scenery/test-service.ts';

const DEADLINE_MS = 180_000;
const OTEL = '/api/answer-audit-logs/otel';
const TRACE = '0af7651916cd43dd8448eb211c80319c';

const service = await openTestService();
afterAll(() => service.close());

const attribute = (key: string, stringValue: string) => ({ key, value: { stringValue } });
const messagesOf = (role: string, content: string) => JSON.stringify([{ role, parts: [{ type: 'text', content }] }]);

function spanOf(n: number, parent: number | null, attributes: Readonly<Record<string, string>>): object {
  const idOf = (id: number) => id.toString(16).padStart(16, '0');
  return {
    traceId: TRACE,
    spanId: idOf(n),
    ...(parent === null ? {} : { parentSpanId: idOf(parent) }),
    name: 'a span',
    attributes: Object.entries(attributes).map(([key, value]) => attribute(key, value)),
  };
}

async function send(...spans: readonly object[]): Promise<void> {
  const resource = { attributes: [attribute('service.name', 'support-bot')] };
  const body = { resourceSpans: [{ resource, scopeSpans: [{ spans }] }] };
  const { status, text } = await service.call('POST', OTEL, { body });
  expect({ status, text }).toEqual({ status: 200, text: '{}' });
}

async function run(...args: readonly string[]) {
  const { stdout } = await runCliCommand(['--output', 'json', ...args], service);
  return JSON.parse(stdout);
}

describe('a trace of an agent that retrieves, calls a model twice and answers', () => {
  it(
    'is one record with its sources, whose checks pass; a mismatch is listed with its reason',
    async () => {
      const said = (text: string) => ({
        'gen_ai.operation.name': 'chat',
        'gen_ai.request.model': 'small',
        'gen_ai.provider.name': 'openai',
        'gen_ai.input.messages': messagesOf('user', 'How long is the warranty?'),
        'gen_ai.output.messages': messagesOf('assistant', text),
        'user.id': 'alice',
      });
      await send(
        spanOf(3, 2, {
          'gen_ai.operation.name': 'retrieval',
          'gen_ai.retrieval.documents': '[{"id":"terms.pdf","score":0.5,"content":"Two years."}]',
        }),
        spanOf(4, 2, said('How long is a warranty, in general?')),
      );
      // Spans are sent as they end, the agent's own last.
      await send(
        spanOf(5, 2, said('Two years.')),
        spanOf(2, 1, { ...said('Two years.'), 'gen_ai.operation.name': 'invoke_agent' }),
        spanOf(1, null, { 'http.route': '/ask' }),
      );
      await until('the record of the trace', async () => (await run('records', 'list')).total === 1);
      const [{ id }] = (await run('records', 'list', '--external-trace-id', TRACE)).items;
      const record = await run('records', 'get', id);
      expect(record).toMatchObject({
        idempotency_key: `otlp:${TRACE}:0000000000000002`,
        question: { text: 'How long is the warranty?' },
        answer: { text: 'Two years.' },
        source_refs: [{ source_name: 'terms.pdf', score: 0.5 }],
      });
      expect(JSON.stringify(record)).not.toContain('alice');
      const { checks } = await run('records', 'verify', id);
      expect(checks.filter(({ outcome }: { outcome: string }) => outcome === 'FAIL')).toEqual([]);

      const created = await service.call('POST', '/api/answer-audit-logs', {
        body: answer('Is it free?', 'Yes.', { idempotency_key: 'msg-1' }),
      });
      const other = { 'service.audit.idempotency_key': 'msg-1', 'service.audit.answer_text': 'No.' };
      await send(spanOf(7, null, other));
      await until('the list', async () => (await run('otel', 'unattached')).total === 1);
      expect((await run('otel', 'unattached')).items).toMatchObject([
        { idempotency_key: 'msg-1', reason: 'commitment_mismatch', answer_log_id: created.body.id },
      ]);
      await send(spanOf(8, null, { ...other, 'service.audit.answer_text': 'Yes.' }));
      await until('the trace', async () => (await run('records', 'get', created.body.id)).trace_refs.length === 1);
    },
    DEADLINE_MS,
  );
});
