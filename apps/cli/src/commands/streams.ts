import { type Command, Option } from 'commander';
import {
  createStreamRequest,
  patchStreamRequest,
  type Stream,
  streamFormat,
  type StreamTest,
} from '@answer-evidence/contracts';
import type { Context } from '../context.ts';
import { readJsonInput } from '../files.ts';
import { parseWith } from '../issues.ts';
import { asFields, asTable, type Block, type Cell } from '../output/blocks.ts';

type AddOptions = { readonly format: string; readonly from: string; readonly includeReasons?: boolean };
type ChangeOptions = {
  readonly name?: string;
  readonly destination?: string;
  readonly format?: string;
  readonly includeReasons?: boolean;
};

const OF_STREAM = 'id of the stream';
const OF_DESTINATION = 'file with the destination as JSON, such as `{"type": "https", "url": …}`; - for stdin';

/** `streams list`, `show`, `add`, `change`, `enable`, `disable`, `remove` and `test`. */
export function addStreamCommands(program: Command, context: Context): void {
  const streams = program
    .command('streams')
    .description('where the entries of the log are sent, such as a SIEM (managers only)');
  streams
    .command('list')
    .description('list the streams and how far each is, oldest first')
    .action(() => context.report(async (client) => ({ items: await client.streams.list() }), viewStreams));
  streams
    .command('show')
    .description('show a stream, how far it is, and what it fails by')
    .argument('<id>', OF_STREAM)
    .action(async (id: string) => showStream(context, await (await context.connect()).streams.get(id)));
  streams
    .command('add')
    .description('send every entry of the log to a collector, a syslog receiver or a bucket')
    .argument('<name>', 'name of the stream')
    .argument('<destination>', OF_DESTINATION)
    .addOption(formatOption().default('ocsf'))
    .addOption(new Option('--from <entry>', 'its first entry').choices(['now', 'beginning']).default('now'))
    .option('--include-reasons', 'send the reasons as well that people gave for reading texts')
    .action(async (name: string, place: string, { format, from, includeReasons = false }: AddOptions) => {
      const destination = await readJsonInput(context.io, place);
      const given = { name, destination, format, from, include_reasons: includeReasons };
      const request = parseWith(createStreamRequest, given);
      showStream(context, await (await context.connect()).streams.create(request));
    });
  streams
    .command('change')
    .description('change a stream; it goes on where it is')
    .argument('<id>', OF_STREAM)
    .option('--name <name>', 'another name')
    .option('--destination <file>', OF_DESTINATION)
    .addOption(formatOption())
    .option('--include-reasons', 'send the reasons as well that people gave for reading texts')
    .option('--no-include-reasons', 'send no reasons')
    .action(async (id: string, { name, destination: place, format, includeReasons }: ChangeOptions) => {
      const destination = place === undefined ? undefined : await readJsonInput(context.io, place);
      const request = parseWith(patchStreamRequest, { name, destination, format, include_reasons: includeReasons });
      showStream(context, await (await context.connect()).streams.change(id, request));
    });
  addSwitch('enable', 'enable a stream; it goes on where it was', 'active');
  addSwitch('disable', 'disable a stream; what is added to the log waits for it', 'disabled');
  streams
    .command('remove')
    .description('remove a stream')
    .argument('<id>', OF_STREAM)
    .action(async (id: string) => {
      await (await context.connect()).streams.remove(id);
      context.show({ json: { id, removed: true }, blocks: () => asFields([['removed', id]]) });
    });
  streams
    .command('test')
    .description('send the destination one event that is about no entry, and say whether it confirmed it')
    .argument('<id>', OF_STREAM)
    .action(async (id: string) => showTest(context, await (await context.connect()).streams.test(id)));

  function addSwitch(name: string, description: string, state: Stream['state']): void {
    streams
      .command(name)
      .description(description)
      .argument('<id>', OF_STREAM)
      .action(async (id: string) => showStream(context, await (await context.connect()).streams.change(id, { state })));
  }
}

function formatOption(): Option {
  return new Option('--format <format>', 'how events are written').choices(streamFormat.options);
}

function showStream(context: Context, stream: Stream): void {
  context.show({ json: stream, blocks: () => asFields(fieldsOf(stream)), quiet: [stream.id] });
}

function showTest(context: Context, test: StreamTest): void {
  context.show({
    json: test,
    blocks: () =>
      asFields([
        ['confirmed', test.confirmed ? 'yes' : 'no'],
        ['failure', test.error],
      ]),
    quiet: [String(test.confirmed)],
  });
}

function fieldsOf(stream: Stream): (readonly [string, Cell])[] {
  return [
    ['id', stream.id],
    ['name', stream.name],
    ['destination', placeOf(stream)],
    ['format', stream.include_reasons ? `${stream.format}, with reasons` : stream.format],
    ['state', stateOf(stream)],
    ['last failure', stream.last_error],
    ['sent up to entry', stream.tree_size],
    ['waiting', stream.waiting],
    ['waiting since', stream.waiting_since],
    ['confirmed', stream.confirmed_at],
  ];
}

function placeOf({ destination }: Stream): string {
  return `${destination.type} ${destination.place}`;
}

function stateOf({ state, failing_since: failingSince }: Stream): string {
  if (state === 'disabled') return 'disabled';
  return failingSince === null ? 'active' : `failing since ${failingSince}`;
}

function viewStreams({ items }: { readonly items: readonly Stream[] }): Block {
  return asTable(
    ['id', 'name', 'destination', 'format', 'state', 'waiting', 'confirmed'],
    items.map((one) => [one.id, one.name, placeOf(one), one.format, stateOf(one), one.waiting, one.confirmed_at]),
  );
}
