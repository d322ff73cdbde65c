// What the programs in Node share: a provider as an application opens it, and the start of a scenario.
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node';

export const HISTORY = [
  { role: 'user', content: 'Q first' },
  { role: 'assistant', content: 'A first' },
];
export const LOOKUP = {
  name: 'lookup',
  description: 'Looks a word up.',
  parameters: { type: 'object', properties: { word: { type: 'string' } }, required: ['word'] },
};
export const OUTPUT = 'TOOL OUTPUT SECRET';

export function openProvider() {
  const provider = new NodeTracerProvider({ spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())] });
  provider.register();
  return provider;
}

// Runs the scenario that the command line names and sends what is left.
export async function run(provider, scenarios) {
  await scenarios[process.argv[2]]();
  await provider.forceFlush();
}
