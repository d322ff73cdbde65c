import type { Command } from 'commander';
import {
  type OwnNotifications,
  type OwnNotificationsList,
  putOwnNotificationsRequest,
} from '@answer-evidence/contracts';
import type { Context } from '../context.ts';
import { parseWith } from '../issues.ts';
import { asFields, type Block, type Cell } from '../output/blocks.ts';
import { addMailOptions, eventOption, type MailOptions, termsOf, whenOf } from './mail-options.ts';

/** `notifications mine` with its commands: what a member has mailed to themselves. */
export function addOwnCommands(notifications: Command, context: Context): void {
  const mine = notifications.command('mine').description('what is mailed to you, as far as your role may see it');
  mine
    .command('show')
    .description('show what is mailed to you, and the types that you may have')
    .action(() => context.report((client) => client.notifications.own(), viewList));
  addMailOptions(mine.command('set').description('have notifications mailed to you, or change how'))
    .argument('<address>', 'your address of mail; a new one is sent a code')
    .addOption(eventOption('only this type of event; repeatable (default: every type that you may see)'))
    .action(async (address: string, options: MailOptions) => {
      const request = parseWith(putOwnNotificationsRequest, { address, ...termsOf(options) });
      const own = await (await context.connect()).notifications.setOwn(request);
      show(context, own);
      if (own.reason === 'unconfirmed')
        context.note('A code is on its way to the address. Nothing else is sent there before you confirm it.');
    });
  mine
    .command('confirm')
    .description('confirm your address by the code that was mailed there')
    .argument('<code>', 'the code')
    .action(async (code: string) => show(context, await (await context.connect()).notifications.confirmOwn(code)));
  mine
    .command('remove')
    .description('end your notifications, with what waits')
    .action(async () => {
      await (await context.connect()).notifications.removeOwn();
      context.show({ json: { removed: true }, blocks: () => asFields([['removed', 'your notifications']]) });
    });
}

function show(context: Context, own: OwnNotifications): void {
  context.show({ json: own, blocks: () => asFields(fieldsOf(own)), quiet: [own.id] });
}

function fieldsOf(own: OwnNotifications): (readonly [string, Cell])[] {
  return [
    ['address', own.address],
    ['mails', whenOf(own)],
    ['events', own.event_types === null ? 'every type that your role may see' : own.event_types.join(', ')],
    ['state', own.state === 'active' ? 'active' : `disabled (${(own.reason ?? '').replace('_', ' ')})`],
    ['waiting', own.pending],
  ];
}

function viewList({ items: [own], event_types: types }: OwnNotificationsList): Block {
  const fields = own === undefined ? [['mails', 'none'] as const] : fieldsOf(own);
  return asFields([...fields, ['you may have', types.join(', ')]]);
}
