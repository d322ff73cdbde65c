import type { Page } from 'playwright-core';

/** A page or a dialog with fields, and the file that has them. */
export type Form = {
  readonly file: string;
  readonly at: string;
  /** Leads to them. */
  readonly open?: (page: Page) => Promise<void>;
  /** Their names. */
  readonly fields: readonly string[];
  /** Those of them that a form before has, too; they are typed in once. */
  readonly again?: readonly string[];
  /** What is typed is read while it is typed, and not only shown. */
  readonly isJudged?: boolean;
  /** A file can be chosen, too. */
  readonly takesFile?: boolean;
  /** Where on the page they are, if that is neither its main part nor a dialog. */
  readonly within?: 'header';
};
type Ids = { readonly record: string; readonly run: string };

const click = (name: string) => async (page: Page) => {
  await page.getByRole('button', { name, exact: true }).click();
};
const openDialog = (name: string) => async (page: Page) => {
  await click(name)(page);
  await page.getByRole('dialog').waitFor();
};
const choose = (button: string, item: string) => async (page: Page) => {
  await click(button)(page);
  await page.getByRole('menuitem', { name: item }).click();
  await page.getByRole('dialog').waitFor();
};
/** Chooses what is to be added, which has fields on the page. */
const add = (button: string, item: string) => async (page: Page) => {
  await click(button)(page);
  await page.getByRole('menuitem', { name: item, exact: true }).click();
};
const openStream = (type: string) => async (page: Page) => {
  await openDialog('Add a stream')(page);
  await page.getByLabel('Destination', { exact: true }).selectOption(type);
};
/** Shows the page of somebody to whom a code was mailed, which the service here cannot do. */
const waitForCode = async (page: Page) => {
  const own = {
    ...{ id: '0199f3c2-7d11-7c44-9d1e-7a7f3f0e5a10', address: 'anna@example.com', event_types: null },
    ...{ digest: 'at_once', hour: null, language: 'en', failing_since: null, pending: 0 },
    ...{ state: 'disabled', reason: 'unconfirmed' },
  };
  const list = { items: [own], event_types: ['record.voided'] };
  await page.route('**/api/notifications/mine', (route) =>
    route.fulfill({ json: route.request().method() === 'GET' ? list : own }),
  );
  await page.getByLabel('Address of mail').fill(own.address);
  await click('Send the code')(page);
  await page.getByRole('textbox', { name: 'Code' }).waitFor();
};
const PEM = ['Certificates of its authority (PEM)', 'Certificate of the service (PEM)', 'Key of the service (PEM)'];
const KEYS = ['Access key', 'Secret'];
const NEW_RUN = ['Application', 'Environment', 'Late after (seconds)'];
const INTERVALS = ['Publish every (seconds)', 'Anchor every (seconds)', 'Outside anchors that must confirm'];
const SEARCH = ['Search for', 'Application', 'Environment'];
const LIMITS = ['Only in these applications', 'Only in these environments'];

/** Every form of the console, for somebody who is signed in. */
export const listForms = ({ record, run }: Ids): readonly Form[] => [
  { file: 'search/search-box.tsx', at: 'records', within: 'header', fields: ['Find an answer'] },
  { file: 'components/filter-bar.tsx', at: 'records', fields: SEARCH },
  { file: 'components/filter-bar.tsx', at: 'evidence', fields: ['Search for', 'Application', 'Type'] },
  { file: 'components/filter-bar.tsx', at: 'log', fields: ['Record id'] },
  { file: 'components/filter-bar.tsx', at: 'opentelemetry?view=ignored', fields: ['Application'] },
  {
    file: 'pages/otel/trace-fates.tsx',
    isJudged: true,
    at: 'opentelemetry?view=trace',
    fields: ['Trace id (32 hexadecimal digits)'],
  },
  { file: 'components/filter-bar.tsx', at: 'reconciliation', fields: ['Application'] },
  {
    file: 'pages/records/saved-views.tsx',
    at: 'records?mode=a',
    open: choose('Saved views', 'Save this view'),
    fields: ['Name of the view'],
  },
  {
    file: 'pages/records/pack-dialog.tsx',
    at: `records/${record}`,
    open: openDialog('Evidence pack'),
    fields: ['Made for', 'Purpose'],
  },
  {
    file: 'pages/records/event-dialogs.tsx',
    at: `records/${record}`,
    open: choose('Change the state', 'Correct the answer'),
    fields: ['The right answer', 'Reason'],
  },
  {
    file: 'components/reason-dialog.tsx',
    at: `records/${record}`,
    open: choose('Change the state', 'Void the answer'),
    fields: ['Reason'],
  },
  { file: 'components/reason-fields.tsx', at: 'records', open: openDialog('Export'), fields: ['Reason'] },
  {
    file: 'pages/records/link-dialog.tsx',
    isJudged: true,
    at: `records/${record}`,
    open: openDialog('Link for the person concerned'),
    fields: ['Days until it expires'],
  },
  {
    file: 'pages/records/redact-dialog.tsx',
    at: `records/${record}`,
    open: choose('Change the state', 'Redact the record'),
    fields: [`Type ${record.slice(-8)}, the end of the id of this record, to confirm`, 'Reason'],
  },
  {
    file: 'pages/records/record-traces.tsx',
    isJudged: true,
    at: `records/${record}`,
    open: (page) => page.getByText('Where traces are shown').click(),
    fields: ['Address of a trace'],
  },
  {
    file: 'pages/evidence/upload-page.tsx',
    at: 'evidence/new',
    fields: ['Application', 'Name', 'Record id'],
    takesFile: true,
  },
  {
    file: 'pages/reconciliation/new-run-page.tsx',
    isJudged: true,
    at: 'reconciliation/new',
    fields: NEW_RUN,
    takesFile: true,
  },
  {
    file: 'pages/reconciliation/window-fields.tsx',
    at: 'reconciliation/new',
    open: (page) => page.getByRole('switch', { name: 'Exact times' }).check({ force: true }),
    fields: NEW_RUN,
  },
  { file: 'pages/reconciliation/triage/triage-fields.tsx', at: `reconciliation/${run}?finding=0`, fields: ['Comment'] },
  { file: 'pages/reconciliation/triage/due-form.tsx', at: `reconciliation/${run}?finding=0`, fields: ['Comment'] },
  {
    file: 'pages/trust/policy/policy-editor.tsx',
    isJudged: true,
    at: 'trust',
    open: (page) => page.getByText('Advanced: the same as texts').click(),
    fields: [...INTERVALS, 'Witness policy', 'Anchors in JSON'],
  },
  {
    file: 'pages/trust/policy/witness-forms.tsx',
    isJudged: true,
    at: 'trust',
    open: add('Add a witness', 'Another witness'),
    fields: ['Name in the policy', 'Address', 'Verifier key', ...INTERVALS],
    again: INTERVALS,
  },
  {
    file: 'pages/trust/policy/anchor-forms.tsx',
    isJudged: true,
    at: 'trust',
    open: add('Add an anchor', 'Locked bucket'),
    fields: [
      ...['Name in the policy', 'Address', 'Bucket', 'Region', 'Prefix of the objects', 'Locked for (days)'],
      ...['Access key', 'Secret', ...INTERVALS],
    ],
    again: INTERVALS,
  },
  {
    file: 'pages/trust/policy/anchor-forms.tsx',
    isJudged: true,
    at: 'trust',
    open: add('Add an anchor', 'Time-stamping authority'),
    fields: ['Name in the policy', 'Address', 'Certificate that tokens must lead to (PEM)', ...INTERVALS],
    again: INTERVALS,
  },
  {
    file: 'pages/notifications/target-dialog.tsx',
    at: 'notifications',
    open: openDialog('Add a webhook'),
    fields: ['Name', 'Address'],
  },
  {
    file: 'pages/notifications/mail-dialog.tsx',
    at: 'notifications',
    open: openDialog('Add a mail address'),
    fields: ['Name', 'Address of mail'],
    again: ['Name'],
  },
  {
    file: 'pages/notifications/own-form.tsx',
    at: 'my-notifications',
    fields: ['Address of mail'],
    again: ['Address of mail'],
  },
  { file: 'pages/notifications/code-form.tsx', at: 'my-notifications', open: waitForCode, fields: ['Code'] },
  {
    file: 'pages/streams/stream-dialog.tsx',
    at: 'streams',
    isJudged: true,
    open: openStream('https'),
    fields: ['Name', 'Address', 'Header that lets the service in', 'Value of the header'],
  },
  {
    file: 'pages/streams/destination-fields.tsx',
    at: 'streams',
    isJudged: true,
    open: openStream('syslog'),
    fields: ['Name', 'Host', 'Port', ...PEM],
    again: ['Name'],
  },
  {
    file: 'pages/streams/destination-fields.tsx',
    at: 'streams',
    isJudged: true,
    open: openStream('s3'),
    fields: ['Name', 'Address', 'Bucket', 'Region', 'Prefix of the objects', ...KEYS, 'An object every (seconds)'],
    again: ['Name', 'Address'],
  },
  {
    file: 'pages/holds/place-hold-dialog.tsx',
    at: 'holds',
    async open(page) {
      await openDialog('Place a hold')(page);
      await page.getByText('More filters').click();
    },
    fields: [
      ...['Matter', 'Application', 'Environment', 'Trace id', 'Message id', 'Idempotency key', 'Mode'],
      ...['Hash of the customer', 'Hash of the session', 'Reason'],
    ],
  },
  {
    file: 'pages/holds/place-hold-dialog.tsx',
    at: 'holds',
    open: async (page) => {
      await openDialog('Place a hold')(page);
      await page.getByLabel('Which records').selectOption('ids');
    },
    fields: ['Matter', 'Ids of records', 'Reason'],
    again: ['Matter', 'Reason'],
  },
  {
    file: 'pages/tokens/issue-token-dialog.tsx',
    at: 'tokens',
    open: openDialog('Issue a token'),
    fields: ['Name', 'Application'],
  },
  {
    file: 'pages/members/add-member-dialog.tsx',
    at: 'members',
    open: openDialog('Add a member'),
    fields: ['Name', ...LIMITS],
  },
  {
    file: 'pages/members/access-choice.tsx',
    at: 'members',
    open: openDialog('Add a member'),
    fields: ['Name', ...LIMITS],
  },
  {
    file: 'pages/members/provider-link.tsx',
    at: 'members',
    open: async (page) => {
      await page.route('**/console/sign-in', (route) => route.fulfill({ json: { provider: true } }));
      await page
        .getByRole('button', { name: /^Change / })
        .first()
        .click();
      // Who is limited to nothing.
      await page.getByRole('radio', { name: 'Manager' }).check();
      await page.getByLabel('Subject at the OpenID provider').waitFor();
    },
    fields: ['Subject at the OpenID provider'],
  },
  {
    file: 'pages/settings/size-field.tsx',
    isJudged: true,
    at: 'settings',
    fields: ['Texts are kept for', 'Largest file of evidence'],
  },
  {
    file: 'pages/settings/retention-fields.tsx',
    isJudged: true,
    at: 'settings',
    open: (page) => page.getByRole('switch', { name: 'Records are kept at least for' }).check({ force: true }),
    fields: ['Texts are kept for', 'At least', 'Reason', 'Largest file of evidence'],
  },
  {
    file: 'pages/settings/two-people-field.tsx',
    at: 'settings',
    open: (page) => page.getByRole('checkbox', { name: 'export of records' }).check(),
    fields: ['Texts are kept for', 'Largest file of evidence', 'Records that one person may export within a day'],
  },
  { file: 'pages/start/start-page.tsx', at: 'start', fields: ['Application'] },
  { file: 'pages/device/device-page.tsx', at: 'device', fields: ['Code'] },
];

/** Those for somebody who is not. */
export const SIGN_IN: readonly Form[] = [
  { file: 'session/sign-in-form.tsx', at: 'members', fields: ['Workspace', 'Name', 'Password'] },
  {
    file: 'session/link-form.tsx',
    at: 'members',
    open: click('I have a one-time link'),
    fields: ['One-time link', 'New password', 'New password again'],
  },
];
