import { type Command, Option } from 'commander';
import {
  createMailTargetRequest,
  createTargetRequest,
  type NotificationDelivery,
  type NotificationTarget,
  type PatchTargetRequest,
  rotateTargetRequest,
  type TargetWithSecret,
} from '@answer-evidence/contracts';
import type { Context } from '../context.ts';
import { parseWith } from '../issues.ts';
import { parseTime } from '../options.ts';
import { asFields, asTable, type Block, type Cell } from '../output/blocks.ts';
import { addPageOptions, pageOf, type PageOptions, showList } from '../paging.ts';
import { addMailOptions, eventOption, type MailOptions, termsOf, whenOf } from './mail-options.ts';
import { addOwnCommands } from './own-notifications.ts';

type TargetOptions = { readonly event: readonly string[] };
type DeliveryOptions = PageOptions & { readonly state?: NotificationDelivery['state'] };

const OF_TARGET = 'id of the target';

/** `notifications` with its commands: targets of both kinds, and what went there. */
export function addNotificationCommands(program: Command, context: Context): void {
  const notifications = program
    .command('notifications')
    .description('where notifications go, and what went there (managers only, but for `mine`)');
  notifications
    .command('list')
    .description('list the targets of notifications and how they do, oldest first')
    .action(() => context.report(async (client) => ({ items: await client.notifications.list() }), viewTargets));
  notifications
    .command('add')
    .description('add a webhook; prints the secret that verifies its deliveries, shown only once')
    .argument('<name>', 'name of the target')
    .argument('<url>', 'https address that deliveries are posted to')
    .addOption(eventOption())
    .action(async (name: string, url: string, { event }: TargetOptions) => {
      const types = event.length === 0 ? {} : { event_types: event };
      const request = parseWith(createTargetRequest, { name, url, ...types });
      showSecret(context, await (await context.connect()).notifications.create(request));
    });
  addMailOptions(
    notifications
      .command('add-mail')
      .description('add an address that mails go to, and send it a code that `confirm` takes'),
  )
    .argument('<name>', 'name of the target')
    .argument('<address>', 'address of mail, which you can read')
    .addOption(eventOption())
    .action(async (name: string, address: string, options: MailOptions) => {
      const request = parseWith(createMailTargetRequest, { name, address, ...termsOf(options) });
      const target = await (await context.connect()).notifications.createMail(request);
      context.show({ json: target, blocks: () => asFields(fieldsOf(target)), quiet: [target.id] });
      context.note('A code is on its way to the address. Nothing else is sent there before you confirm it.');
    });
  notifications
    .command('confirm')
    .description('confirm the address of a target by the code that was mailed there')
    .argument('<id>', OF_TARGET)
    .argument('<code>', 'the code')
    .action(async (id: string, code: string) => {
      const target = await (await context.connect()).notifications.confirm(id, code);
      context.show({ json: target, blocks: () => asFields(fieldsOf(target)), quiet: [target.id] });
    });
  addChange('enable', 'enable a target; what waited for it is delivered', { state: 'active' });
  addChange('disable', 'disable a target; what is due waits for it', { state: 'disabled' });
  notifications
    .command('rotate')
    .description('give a target a new secret, shown only once')
    .argument('<id>', OF_TARGET)
    .option(
      '--overlap <time>',
      'how long the earlier secret signs as well: seconds, or a duration such as 10m; at most 7d',
      '24h',
    )
    .action(async (id: string, { overlap }: { readonly overlap: string }) => {
      const request = parseWith(rotateTargetRequest, { overlap_seconds: parseTime('--overlap', overlap) });
      showSecret(context, await (await context.connect()).notifications.rotate(id, request));
    });
  notifications
    .command('remove')
    .description('remove a target, with what waits for it')
    .argument('<id>', OF_TARGET)
    .action(async (id: string) => {
      await (await context.connect()).notifications.remove(id);
      context.show({ json: { id, removed: true }, blocks: () => asFields([['removed', id]]) });
    });
  notifications
    .command('test')
    .description('have a notification of the type `test` sent to a target')
    .argument('<id>', OF_TARGET)
    .action(async (id: string) => {
      showDelivery(context, await (await context.connect()).notifications.test(id));
    });
  const deliveries = notifications
    .command('deliveries')
    .description('list what a target got and is to get, newest first')
    .argument('<id>', OF_TARGET)
    .addOption(new Option('--state <state>', 'only these').choices(['pending', 'delivered', 'failed']));
  addPageOptions(deliveries).action(async (id: string, options: DeliveryOptions) => {
    const { state } = options;
    const client = await context.connect();
    const asked = { ...pageOf(options), ...(state === undefined ? {} : { state }) };
    showList(context, await client.notifications.deliveries(id, asked), viewDeliveries, options, 'deliveries');
  });
  notifications
    .command('replay')
    .description('have a notification delivered again, under the same id')
    .argument('<id>', OF_TARGET)
    .argument('<notification>', 'id of the notification')
    .action(async (id: string, notification: string) => {
      showDelivery(context, await (await context.connect()).notifications.replay(id, notification));
    });

  addOwnCommands(notifications, context);

  function addChange(name: string, description: string, change: PatchTargetRequest): void {
    notifications
      .command(name)
      .description(description)
      .argument('<id>', OF_TARGET)
      .action(async (id: string) => {
        const target = await (await context.connect()).notifications.change(id, change);
        context.show({ json: target, blocks: () => asFields(fieldsOf(target)), quiet: [target.id] });
      });
  }
}

function showSecret(context: Context, target: TargetWithSecret): void {
  context.show({
    json: target,
    blocks: () => asFields([...fieldsOf(target), ['secret', target.secret]]),
    quiet: [target.secret],
  });
  context.note('The secret is not shown again. Give it to the receiver, which verifies each delivery by it.');
}

function showDelivery(context: Context, delivery: NotificationDelivery): void {
  context.show({
    json: delivery,
    blocks: () =>
      asFields([
        ['notification', delivery.notification_id],
        ['type', delivery.body.type],
        ['state', delivery.state],
      ]),
    quiet: [delivery.notification_id],
  });
}

function fieldsOf(target: NotificationTarget): (readonly [string, Cell])[] {
  return [
    ['id', target.id],
    ['name', target.name],
    ['address', target.origin],
    ...(target.mail === null ? [] : [['mails', whenOf(target.mail)] as const]),
    ['events', target.event_types === null ? 'every type' : target.event_types.join(', ')],
    ['state', stateOf(target)],
    ['waiting', target.pending],
  ];
}

function stateOf({ state, reason, mail, failing_since: failingSince }: NotificationTarget): string {
  if (state === 'disabled') return `disabled (${(reason ?? mail?.stopped ?? '').replace('_', ' ')})`;
  return failingSince === null ? 'active' : `failing since ${failingSince}`;
}

function viewTargets({ items }: { readonly items: readonly NotificationTarget[] }): Block {
  return asTable(
    ['id', 'name', 'address', 'state', 'waiting'],
    items.map((one) => [one.id, one.name, one.origin, stateOf(one), one.pending]),
  );
}

function viewDeliveries(items: readonly NotificationDelivery[]): Block {
  return asTable(
    ['notification', 'type', 'subject', 'state', 'attempts', 'created', 'last failure'],
    items.map((one) => [
      ...[one.notification_id, one.body.type, one.body.data.subject, one.state, one.attempts],
      ...[one.created_at, one.last_error],
    ]),
  );
}
