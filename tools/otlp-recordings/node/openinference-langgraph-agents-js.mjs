/* eslint simple-import-sort/imports: off -- the lines for the documentation stand together */
import { awaitAllCallbacks } from '@langchain/core/callbacks/promises';
import { SCENARIOS } from './langgraph-agents-calls.mjs';
import { openProvider, run } from './recorded.mjs';

const provider = openProvider();
// docs: begin
import { LangChainInstrumentation } from '@arizeai/openinference-instrumentation-langchain';
import * as callbacks from '@langchain/core/callbacks/manager';

new LangChainInstrumentation({ tracerProvider: provider }).manuallyInstrument(callbacks);
// docs: end
// The spans of a chain end in the background.
const forceFlush = () => awaitAllCallbacks().then(() => provider.forceFlush());
await run({ forceFlush }, SCENARIOS);
