import { describe, expect, it } from '@jest/globals';
import { batchOf, log, messages, type Plain, span } from '../../fixtures/items.ts';
import { explainBatch, mapBatch, type OtlpItem, readForExplanation, reduceItems, splitTrace } from '../index.ts';

const said = (text: string, more: { readonly [key: string]: Plain } = {}) => ({
  'gen_ai.operation.name': 'chat',
  'gen_ai.input.messages': messages(['user', `${text}?`]),
  'gen_ai.output.messages': messages(['assistant', text]),
  ...more,
});
const AGENT = { 'gen_ai.operation.name': 'invoke_agent' };
const failing = (item: OtlpItem): OtlpItem => (item.kind === 'span' ? { ...item, statusCode: 2 } : item);

/** The answers that items leave, in whatever order they come. */
function answersOf(...items: readonly OtlpItem[]): readonly (string | undefined)[] {
  const textsOf = (given: readonly OtlpItem[]) => mapBatch(batchOf(...given)).items.map(({ answer }) => answer?.text);
  const forwards = textsOf(items);
  expect(textsOf(items.toReversed()).toSorted()).toEqual(forwards.toSorted());
  return forwards;
}

describe('a run that shows a conversation', () => {
  const shown = (...turns: readonly (readonly [string, string])[]) => {
    const output = { 'gen_ai.output.messages': messages(...turns) };
    return span({ id: 2, attributes: { 'gen_ai.operation.name': 'invoke_workflow', ...output } });
  };

  it('answers with what was said last, and a call of a model with its first choice', () => {
    expect(answersOf(shown(['assistant', 'earlier'], ['user', 'Q'], ['assistant', 'told']))).toEqual(['told']);
    const choices = messages(['assistant', 'first'], ['assistant', 'second']);
    expect(answersOf(span({ attributes: said('Q', { 'gen_ai.output.messages': choices }) }))).toEqual(['first']);
  });

  it('answers with what the call below it said last, where it shows more before that', () => {
    const call = span({ id: 3, parent: 2, attributes: said('told') });
    expect(answersOf(shown(['assistant', 'result of a tool told']), call)).toEqual(['told']);
    expect(answersOf(shown(['assistant', 'told by another']), call)).toEqual(['told by another']);
  });
});

describe('a run that shows what it was given as a dict of Python', () => {
  const crew = (given: string) => {
    const shown = {
      'gen_ai.input.messages': messages(['user', given]),
      'gen_ai.output.messages': said('A')['gen_ai.output.messages'],
    };
    return span({ id: 1, attributes: { ...AGENT, ...shown } });
  };
  const first = span({
    id: 2,
    parent: 1,
    attributes: { ...AGENT, ...said('told'), 'gen_ai.operation.name': 'invoke_agent' },
  });
  const questionsOf = (...items: readonly OtlpItem[]) =>
    mapBatch(batchOf(...items)).items.map(({ question }) => question?.text);

  it('is asked what a member says that is named as a question, or the only one', () => {
    expect(questionsOf(crew("{'tone': 'kind', 'question': 'Who\\'s there?'}"))).toEqual(["Who's there?"]);
    expect(questionsOf(crew(`{'topic': "Who's there?"}`))).toEqual(["Who's there?"]);
    expect(questionsOf(crew("{'tone': 'kind', 'topic': 'Q'}"))).toEqual([undefined]);
    expect(questionsOf(crew("{'documents': ['SECRET'], 'question': 'Q'}"))).toEqual([undefined]);
  });

  it('is asked what the first agent below it is asked where it was given nothing', () => {
    expect(questionsOf(crew('{}'), first)).toEqual(['told?']);
    expect(questionsOf(crew('Q'), first)).toEqual(['Q']);
  });
});

describe('a run of which every turn is a log record', () => {
  const run = span({ id: 1, attributes: { ...AGENT, user_prompt: 'Q' } });
  const turn = (response: string, time: bigint) => {
    const attributes = { 'prompt.id': '1', response };
    return { ...log({ id: 1, event: 'assistant_response', attributes }), timeUnixNano: time };
  };

  it('answers with the last turn, in whatever order they come, and is one record', () => {
    expect(answersOf(turn('Let me look.', 1n), turn('Told.', 2n), run)).toEqual(['Told.']);
    const { items } = mapBatch(batchOf(turn('Told.', 2n), run, turn('Let me look.', 1n)));
    expect(items).toMatchObject([{ question: { text: 'Q' }, answer: { text: 'Told.' } }]);
  });

  it('waits for what may still come, in whatever requests it comes', () => {
    const shown = { ...run, scope: { name: 'com.anthropic.claude_code.tracing', version: '' } };
    for (const items of [[turn('Let me look.', 1n)], [shown], [shown, turn('Let me look.', 1n)]]) {
      const { decided, waiting } = splitTrace(reduceItems(batchOf(...items).items));
      expect([decided.items.length, waiting.length]).toEqual([0, items.length]);
    }
  });
});

describe('a run that shows the same messages as given and as given back', () => {
  const old = JSON.stringify([
    { role: 'User', parts: [{ type: 'text', content: 'Q of before' }] },
    { role: 'Assistant', parts: [{ type: 'text', content: 'told before' }] },
  ]);
  const given = { 'gen_ai.input.messages': old };
  const run = (output: Plain) => span({ id: 2, attributes: { ...AGENT, ...given, 'gen_ai.output.messages': output } });
  const call = span({ id: 3, parent: 2, attributes: said('told') });

  it('has question and answer of what is below it, and none without that', () => {
    const { items } = mapBatch(batchOf(run(old), call));
    expect(items).toMatchObject([{ question: { text: 'told?' }, answer: { text: 'told' } }]);
    expect(answersOf(run(old))).toEqual([]);
  });

  it('has an answer of its own where it adds one', () => {
    expect(answersOf(run(messages(['assistant', 'told here'])), call)).toEqual(['told here']);
  });
});

describe('a run that shows an object of Python', () => {
  const shown = (text: string) => {
    const output = { 'gen_ai.output.messages': messages(['assistant', text]) };
    return span({ id: 1, attributes: { 'gen_ai.operation.name': 'invoke_workflow', ...output } });
  };
  const first = span({ id: 2, parent: 1, attributes: said('first') });
  const second = span({ id: 3, parent: 1, attributes: said('second') });

  it('answers with what was said below it', () => {
    expect(answersOf(shown("text='second' stars=5"), first, second)).toEqual(['second']);
    expect(answersOf(shown('<coroutine object Flow.run at 0x7f64f8b185b0>'), first)).toEqual(['first']);
  });

  it('is no answer beside those below it, where it is a list of several', () => {
    const list = shown("[Output(raw='first', agent=1), Output(raw='second', agent=1)]");
    expect(answersOf(list, first, second).toSorted()).toEqual(['first', 'second']);
    expect(answersOf(shown("[Output(raw='first', agent=1)]"), first)).toEqual(['first']);
  });
});

describe('a call that rewrites a question', () => {
  const prompt =
    'Given the following conversation and a follow up question, x\nFollow Up Input: asked\nStandalone question:';
  const call = span({
    id: 2,
    parent: 1,
    attributes: said('x', { 'gen_ai.input.messages': messages(['user', prompt]) }),
  });

  it('answers nobody, and asks what was asked', () => {
    expect(answersOf(call)).toEqual([]);
    const run = mapBatch(
      batchOf(span({ id: 1, attributes: AGENT }), call, span({ id: 3, parent: 1, attributes: said('told') })),
    );
    expect(run.items.map(({ question, answer }) => [question?.text, answer?.text])).toEqual([['asked', 'told']]);
  });
});

describe('a call of which a filter of Spring AI wrote the texts', () => {
  const call = (prompt: readonly string[], completion: readonly string[], reasons: Plain = ['stop']) => {
    const texts = { 'gen_ai.prompt': JSON.stringify(prompt), 'gen_ai.completion': JSON.stringify(completion) };
    return span({
      attributes: { 'gen_ai.operation.name': 'chat', 'gen_ai.response.finish_reasons': reasons, ...texts },
    });
  };
  const read = (...given: Parameters<typeof call>) => {
    return mapBatch(batchOf(call(...given))).items.map(({ question, answer }) => [question?.text, answer?.text]);
  };

  it('has the last of them as its question, but for those of tools', () => {
    expect(read(['prompt', 'earlier', 'answer', 'asked'], ['told'])).toEqual([['asked', 'told']]);
    expect(read(['prompt', 'asked', '', ''], ['told'])).toEqual([['asked', 'told']]);
    expect(read(['prompt', 'asked', 'Let me see.', '', 'Once more.', ''], ['told'])).toEqual([['asked', 'told']]);
  });

  it('is read where texts were put together by quotes, unless they have quotes', () => {
    const joined = (...texts: readonly string[]) => `["${texts.join('", "')}"]`;
    const asked = (...texts: readonly string[]) => {
      const attributes = { 'gen_ai.prompt': joined(...texts), 'gen_ai.completion': joined('told') };
      return mapBatch(batchOf(span({ attributes }))).items.map(({ question }) => question?.text);
    };
    expect(asked('a\nprompt', 'asked\ntwice')).toEqual(['asked\ntwice']);
    expect(asked('a "prompt"', 'asked')).toEqual([undefined]);
  });

  it('answers nobody, where it asks for a tool', () => {
    expect(read(['asked'], [''])).toEqual([]);
    expect(read(['asked'], ['Let me see.'], ['TOOL_CALLS'])).toEqual([]);
    expect(read(['asked'], ['Let me see.'], '["TOOL_CALLS"]')).toEqual([]);
  });
});

describe('a run that ended with an error', () => {
  const call = span({ id: 3, parent: 2, attributes: said('draft') });

  it('answers nobody, and neither does what is below it', () => {
    const agent = failing(span({ id: 2, parent: 1, attributes: AGENT }));
    expect(answersOf(span({ id: 1 }), agent, call)).toEqual([]);
    expect(answersOf(span({ id: 1, attributes: AGENT }), agent, call)).toEqual([]);
    expect(answersOf(failing(span({ id: 2, attributes: said('told') })))).toEqual([]);
  });

  it('leaves the answer of what was tried after it', () => {
    const chain = span({ id: 1, attributes: { 'openinference.span.kind': 'AGENT' } });
    const first = failing(span({ id: 2, parent: 1, attributes: said('first') }));
    const second = span({ id: 4, parent: 1, attributes: said('second') });
    expect(answersOf(chain, first, second)).toEqual(['second']);
  });

  it('is one that has the name of an agent and no attribute', () => {
    const named = { ...span({ id: 2 }), name: 'invoke_workflow crew' };
    expect(answersOf(failing(named), call)).toEqual([]);
    expect(answersOf(failing({ ...named, name: 'POST /ask' }), call)).toEqual(['draft']);
  });

  it('is one that Langfuse says so of by its level', () => {
    const attributes = { 'langfuse.observation.type': 'agent', 'langfuse.observation.level': 'ERROR' };
    expect(answersOf(span({ id: 2, attributes }), call)).toEqual([]);
    expect(
      answersOf(span({ id: 2, attributes: { ...attributes, 'langfuse.observation.level': 'DEFAULT' } }), call),
    ).toEqual(['draft']);
  });

  it('is no failed tool below an agent, and no failed request above one', () => {
    const agent = span({ id: 2, parent: 1, attributes: AGENT });
    const tool = failing(span({ id: 5, parent: 2, attributes: { 'gen_ai.operation.name': 'execute_tool' } }));
    expect(answersOf(failing(span({ id: 1, attributes: { 'http.route': '/ask' } })), agent, call, tool)).toEqual([
      'draft',
    ]);
  });

  it('does not count where the answer is marked', () => {
    const marked = span({ id: 2, attributes: said('told', { 'service.audit.idempotency_key': 'k' }) });
    expect(answersOf(failing(marked))).toEqual(['told']);
  });

  it('gives its tools and sources to no answer beside it', () => {
    const tool = span({
      id: 5,
      parent: 2,
      attributes: { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'lookup' },
    });
    const agent = failing(span({ id: 2, parent: 1, attributes: AGENT }));
    const other = span({ id: 6, parent: 1, attributes: said('other') });
    const { items } = mapBatch(batchOf(span({ id: 1 }), agent, tool, other));
    expect(items.map(({ semanticRefs }) => semanticRefs.filter(({ ref_type: type }) => type === 'tool_call'))).toEqual([
      [],
    ]);
  });

  it('is not waited for, and not what is below it', () => {
    const agent = failing(span({ id: 2, attributes: AGENT }));
    const { decided, waiting } = splitTrace(reduceItems(batchOf(agent, call).items));
    expect([decided.items, decided.ignored, waiting]).toEqual([[], 2, []]);
  });

  it('is the reason of each of its items', () => {
    const agent = failing(span({ id: 2, attributes: AGENT }));
    const { items } = explainBatch(readForExplanation(batchOf(agent, call)), []);
    expect(items.map(({ outcome, reason }) => [outcome, reason])).toEqual([
      ['ignored', 'failed'],
      ['ignored', 'failed'],
    ]);
  });
});

describe('an explanation', () => {
  const explain = (...items: readonly OtlpItem[]) => {
    const { items: explained } = explainBatch(readForExplanation(batchOf(...items)), []);
    return explained.map(({ outcome, detail }) => [outcome, detail]);
  };
  const search = span({ id: 2, parent: 1, attributes: { 'db.system': 'Qdrant', 'db.vector.query.top_k': 3 } });
  const prompt = span({ id: 3, parent: 1, attributes: said('Use this:\nreturns') });
  const root = span({ id: 1 });

  it('says what an answer lacks to become a record, and shows a search that made it a prompt as a part', () => {
    expect(explain(search, prompt, root)).toEqual([
      ['part', null],
      ['answer', 'without a question: no record is created of it, only attached to one that has its key'],
      ['ignored', null],
    ]);
  });

  it('asks for nothing more of an item beside an answer', () => {
    const node = span({ id: 4, parent: 1, attributes: { 'gen_ai.operation.name': 'execute_task' } });
    const below = span({ id: 6, parent: 2, attributes: { 'gen_ai.operation.name': 'chat' } });
    const empty = span({ id: 5, parent: 1, attributes: { 'gen_ai.operation.name': 'chat' } });
    const all = explain(root, span({ id: 2, parent: 1, attributes: said('Q') }), node, below, empty);
    expect(all).toEqual([
      ['ignored', null],
      ['answer', null],
      ['part', null],
      ['part', null],
      ['ignored', 'another item of its trace is the answer'],
    ]);
    expect(explain(root, node)).toEqual([
      ['ignored', null],
      ['ignored', null],
    ]);
  });

  it('tells an event without contents from one that has a question only', () => {
    const reasonOf = (body: Plain) => {
      const message = log({ id: 2, event: 'gen_ai.user.message', body });
      return explainBatch(readForExplanation({ ...batchOf(message), signal: 'logs' }), []).items[0]?.reason;
    };
    expect(reasonOf({ content: 'Q' })).toBe('no_answer');
    expect(reasonOf({})).toBe('no_contents');
  });

  const reasonOf = (attributes: { readonly [key: string]: Plain }) => {
    return explainBatch(readForExplanation(batchOf(span({ attributes }))), []).items[0]?.reason;
  };

  it('asks for contents of calls and agents only, not of a node that never has any', () => {
    expect(reasonOf({ 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': 'm' })).toBe('no_contents');
    expect(reasonOf({ 'openinference.span.kind': 'CHAIN' })).toBe('no_contents');
    expect(reasonOf({ 'gen_ai.operation.name': 'react', 'gen_ai.agent.name': 'helper' })).toBe('other_operation');
    expect(reasonOf({ 'ai.operationId': 'ai.toolCall', 'ai.model.id': 'm' })).toBe('other_operation');
    expect(reasonOf({ 'ai.operationId': 'ai.streamText', 'ai.model.id': 'm' })).toBe('no_contents');
    expect(reasonOf({ 'koog.node.id': 'call', 'gen_ai.conversation.id': '1' })).toBe('other_operation');
    expect(reasonOf({ 'http.route': '/ask', 'langfuse.session.id': '1' })).toBe('other_operation');
    expect(reasonOf({ 'traceloop.association.properties.user_id': '1' })).toBe('other_operation');
  });

  it('takes what stands in the place of contents that were left out for none', () => {
    const hidden = { 'openinference.span.kind': 'LLM', 'input.value': '__REDACTED__', 'output.value': '__REDACTED__' };
    expect(reasonOf(hidden)).toBe('no_contents');
    expect(reasonOf({ ...hidden, 'input.value': 'Q' })).toBe('no_answer');
    expect(reasonOf({ 'genkit:input': '[redacted]', 'genkit:output': '<redacted>' })).toBe('no_contents');
  });
});
