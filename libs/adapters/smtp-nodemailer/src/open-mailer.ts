import { isIPv6 } from 'node:net';
import type { Mail, Mailer, MailOutcome } from '@answer-evidence/ports';

/** How long a mail server has for each step, and for everything from the name of the host to the last reply. */
const MAIL_TIMES = { stepMs: 10_000, wholeMs: 15_000 } as const;
const LOCAL: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '::1']);

/** A mail server as a setting names it. */
type MailServer = {
  readonly host: string;
  readonly port: number;
  readonly isTlsFromStart: boolean;
  readonly login: { readonly user: string; readonly pass: string } | undefined;
};

/** Reads `smtp://` or `smtps://` with host, port and login. Throws with what is wrong, without the password. */
export function parseMailServer(text: string): MailServer {
  if (!URL.canParse(text)) throw new Error('must be a URL beginning with smtp:// or smtps://');
  const { protocol, hostname, port, username, password, pathname, search, hash } = new URL(text);
  if (protocol !== 'smtp:' && protocol !== 'smtps:') throw new Error('must begin with smtp:// or smtps://');
  if (hostname === '' || (pathname !== '' && pathname !== '/') || search !== '' || hash !== '')
    throw new Error('must have a host, and nothing after host and port');
  const host = hostname.replace(/^\[(.*)\]$/, (whole, inner: string) => (isIPv6(inner) ? inner : whole));
  const isTlsFromStart = protocol === 'smtps:';
  return {
    host,
    port: port === '' ? (isTlsFromStart ? 465 : 587) : Number(port),
    isTlsFromStart,
    login: username === '' ? undefined : { user: decodeURIComponent(username), pass: decodeURIComponent(password) },
  };
}

/**
 * A mailer for the server, over TLS: from the start, or by STARTTLS, without which nothing is sent except on this
 * machine. The vendor's package is loaded with the first mail.
 */
export function openMailer(
  server: MailServer,
  from: string,
  { stepMs, wholeMs }: { readonly stepMs: number; readonly wholeMs: number } = MAIL_TIMES,
): Mailer {
  return {
    async send(mail, signal) {
      const [{ default: SmtpConnection }, { default: MailComposer }] = await Promise.all([
        import('nodemailer/lib/smtp-connection'),
        import('nodemailer/lib/mail-composer'),
      ]);
      const message = await new MailComposer(toMessage(mail, from)).compile().build();
      const connection = new SmtpConnection({
        host: server.host,
        port: server.port,
        secure: server.isTlsFromStart,
        requireTLS: !server.isTlsFromStart && !LOCAL.has(server.host),
        ignoreTLS: !server.isTlsFromStart && LOCAL.has(server.host),
        connectionTimeout: stepMs,
        greetingTimeout: stepMs,
        socketTimeout: stepMs,
        dnsTimeout: stepMs,
        socketCloseTimeout: 0,
        maxResponseSize: 64 * 1024,
      });
      // A server that sends a byte now and then holds up no step for ever: the whole has an end as well.
      const ended = AbortSignal.any([signal, AbortSignal.timeout(wholeMs)]);
      return new Promise<MailOutcome>((resolve) => {
        const settle = (outcome: MailOutcome): void => {
          ended.removeEventListener('abort', onEnd);
          connection.close();
          resolve(outcome);
        };
        const fail = (error: Failure): void => settle(toOutcome(error));
        const onEnd = (): void =>
          settle({ kind: 'failed', status: null, error: 'the mail server did not take the mail in time' });
        ended.addEventListener('abort', onEnd);
        connection.once('error', fail);
        const send = (): void =>
          connection.send({ from, to: mail.to }, message, (error, info) => {
            if (error) fail(error);
            else settle({ kind: 'sent', status: Number(info?.response?.slice(0, 3)) || 250 });
          });
        connection.connect((error) => {
          if (error) fail(error);
          else if (server.login === undefined) send();
          else connection.login({ ...server.login }, (refusal) => (refusal ? fail(refusal) : send()));
        });
      });
    },
  };
}

type Failure = Error & {
  readonly code?: string | undefined;
  readonly command?: string | undefined;
  readonly responseCode?: number | undefined;
};

/** What the server said is not passed on: its words are for the operator, and may name what tenants need not know. */
function toOutcome(failure: Failure): MailOutcome {
  const { code, command, responseCode } = failure;
  const status = responseCode ?? null;
  // A refusal of the sender or of the mail is about this service, and would be one of every address.
  if (command === 'RCPT TO' && status !== null && status >= 500 && status < 600)
    return { kind: 'refused', status, error: `the mail server refuses the address (${status})` };
  if (code === 'EAUTH') return { kind: 'failed', status, error: 'the mail server does not let the service in' };
  if (status !== null) return { kind: 'failed', status, error: `the mail server responded ${status}` };
  return { kind: 'failed', status, error: 'the mail server could not be reached, or not over TLS' };
}

function toMessage({ id, to, subject, text, html, unsubscribeUrl }: Mail, from: string) {
  const domain = from.slice(from.lastIndexOf('@') + 1).replace(/>$/, '');
  return {
    from,
    to,
    // What looks like an encoded word (RFC 2047) is a part of a name here: a reader would see something else.
    subject: subject.replaceAll('=?', '= ?'),
    text,
    html,
    messageId: `<${id}@${domain}>`,
    headers: {
      'List-Unsubscribe': `<${unsubscribeUrl}>`,
      'Auto-Submitted': 'auto-generated',
      Precedence: 'bulk',
    },
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}
