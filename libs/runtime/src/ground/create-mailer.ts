import type { Mailer } from '@answer-evidence/ports';
import { openMailer, parseMailServer } from '@answer-evidence/smtp-nodemailer';
import type { Config } from './config.ts';

/** The operator's mail server; undefined without one. */
export function createMailer({ SERVICE_SMTP_URL: url, SERVICE_SMTP_FROM: from }: Config): Mailer | undefined {
  return url === undefined || from === undefined ? undefined : openMailer(parseMailServer(url), from);
}
