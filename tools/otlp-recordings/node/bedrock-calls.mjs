// Calls of Amazon Bedrock, for the instrumentations of its client.
import { NodeHttpHandler } from '@smithy/node-http-handler';
import { LOOKUP, OUTPUT } from './recorded.mjs';

const system = [{ text: 'SECRET prompt' }];
const modelId = 'anthropic.claude-3-haiku-20240307-v1:0';
const say = (role, text) => ({ role, content: [{ text }] });

export function createScenarios(bedrock) {
  const client = new bedrock.BedrockRuntimeClient({
    endpoint: process.env.MODEL_URL,
    region: 'us-east-1',
    // The model of the tests speaks HTTP 1.1.
    requestHandler: new NodeHttpHandler(),
  });
  const converse = (given) => client.send(new bedrock.ConverseCommand({ modelId, system, ...given }));
  return {
    async conversation() {
      await converse({ messages: [say('user', 'Q first'), say('assistant', 'A first'), say('user', 'Q last')] });
    },
    async invoked() {
      const messages = [{ role: 'user', content: 'Q invoked' }];
      const given = { anthropic_version: 'bedrock-2023-05-31', max_tokens: 100, system: 'SECRET prompt', messages };
      await client.send(
        new bedrock.InvokeModelCommand({ modelId, body: JSON.stringify(given), contentType: 'application/json' }),
      );
    },
    async tool() {
      const toolSpec = { name: LOOKUP.name, description: LOOKUP.description, inputSchema: { json: LOOKUP.parameters } };
      const toolConfig = { tools: [{ toolSpec }] };
      const messages = [say('user', 'Q TOOL call')];
      const { output } = await converse({ messages, toolConfig });
      const toolResult = { toolUseId: 'call-1', content: [{ text: OUTPUT }] };
      messages.push(output.message, { role: 'user', content: [{ toolResult }] });
      await converse({ messages, toolConfig });
    },
  };
}
