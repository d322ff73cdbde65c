/** A mail to one address. All of it but the address is ours: no caller writes a header. */
export type Mail = {
  /** Between the angle brackets of `Message-ID`, before the `@`: the same in every attempt. */
  readonly id: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** `List-Unsubscribe`: a page that ends these mails. */
  readonly unsubscribeUrl: string;
};

/** How an attempt went. `status` is the reply of the mail server, if any came. */
export type MailOutcome =
  | { readonly kind: 'sent'; readonly status: number }
  /** The server will never take mail for this address (5xx of RCPT TO). */
  | { readonly kind: 'refused'; readonly status: number; readonly error: string }
  /** Anything else, which may pass: 4xx, a server that is unreachable, hangs, or does not let the service in. */
  | { readonly kind: 'failed'; readonly status: number | null; readonly error: string };

/** The mail server of the operator. */
export interface Mailer {
  /**
   * Sends the mail, within a bounded time whatever the server does. `sent` means that the server has taken it on. When
   * the process dies or the connection ends before that is known, it may have been sent all the same.
   */
  send(mail: Mail, signal: AbortSignal): Promise<MailOutcome>;
}
