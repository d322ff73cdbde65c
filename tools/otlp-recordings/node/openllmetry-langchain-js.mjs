/* eslint simple-import-sort/imports: off -- the lines for the documentation stand together */
import { awaitAllCallbacks } from '@langchain/core/callbacks/promises';
import { SCENARIOS } from './langchain-calls.mjs';
import { openProvider, run } from './recorded.mjs';

const provider = openProvider();
// docs: begin
import * as callbackManagerModule from '@langchain/core/callbacks/manager';
import { LangChainInstrumentation } from '@traceloop/instrumentation-langchain';

const instrumentation = new LangChainInstrumentation();
instrumentation.setTracerProvider(provider);
instrumentation.manuallyInstrument({ callbackManagerModule });
// docs: end
const forceFlush = () => awaitAllCallbacks().then(() => provider.forceFlush());
await run({ forceFlush }, SCENARIOS);
