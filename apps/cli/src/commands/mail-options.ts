import { type Command, Option } from 'commander';
import { mailDigest, type MailTerms, mailTerms, NOTIFICATION_TYPES } from '@answer-evidence/contracts';
import { collect } from '../options.ts';

/** What the options of a mail say. */
export type MailOptions = {
  readonly event: readonly string[];
  readonly digest: string;
  readonly hour?: string;
  readonly language: string;
};

/** When mails go, and in which language. */
export function addMailOptions(command: Command): Command {
  return command
    .addOption(
      new Option('--digest <when>', 'one mail for each notification, or for all of an hour or a day')
        .choices(mailDigest.options)
        .default('at_once'),
    )
    .option('--hour <hour>', 'of a daily digest, 0 to 23 (UTC)')
    .addOption(
      new Option('--language <language>', 'of the mails').choices(mailTerms.shape.language.options).default('en'),
    );
}

/** Which types of event. */
export function eventOption(description = 'only this type of event; repeatable (default: every type)'): Option {
  return new Option('--event <type>', description)
    .choices(NOTIFICATION_TYPES)
    .argParser((value: string, before: readonly string[]) => collect(value, before))
    .default([]);
}

/** The members of a request that they say. */
export function termsOf({ event, hour, digest, language }: MailOptions): object {
  const types = event.length === 0 ? {} : { event_types: event };
  const at = hour === undefined ? {} : { hour: /^\d{1,2}$/.test(hour) ? Number(hour) : hour };
  return { digest, language, ...at, ...types };
}

/** The same in words. */
export function whenOf({ digest, hour, language }: MailTerms): string {
  return `${digest.replace('_', ' ')}${hour === null ? '' : `, ${hour}:00 UTC`}, in ${language}`;
}
