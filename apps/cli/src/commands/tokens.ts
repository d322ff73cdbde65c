import { type Command, Option } from 'commander';
import {
  type CreateTokenRequest,
  createTokenRequest,
  type IssuedToken,
  rotateTokenRequest,
  SCOPES,
  TOKEN_STATUSES,
  tokenFilters,
  type TokenSummary,
} from '@answer-evidence/contracts';
import type { Context } from '../context.ts';
import { parseWith } from '../issues.ts';
import { collect, fieldsOf, parseTime } from '../options.ts';
import { asFields, asTable, type Block } from '../output/blocks.ts';
import { addPageOptions, pageOf, type PageOptions, showList } from '../paging.ts';

type CreateOptions = {
  readonly name: string;
  readonly kind: string;
  readonly application?: string;
  readonly scope: readonly string[];
  readonly expiresIn?: string;
};

/** `tokens list`, `tokens create`, `tokens rotate` and `tokens revoke`. */
export function addTokenCommands(program: Command, context: Context): void {
  const tokens = program.command('tokens').description('tokens of the workspace');
  const list = tokens
    .command('list')
    .description('list the tokens that you may see, newest first, without their secrets')
    .addOption(new Option('--status <status>', 'only those that are valid, or no longer').choices(TOKEN_STATUSES));
  addPageOptions(list).action(async (options: PageOptions) => {
    const filters = parseWith(tokenFilters, fieldsOf(tokenFilters, options));
    const found = await (await context.connect()).tokens.list(filters, pageOf(options));
    showList(context, found, viewTokens, options, 'tokens');
  });
  tokens
    .command('create')
    .description('issue a token; it is shown only once')
    .requiredOption('--name <name>', 'name of the token, unique in the workspace')
    .addOption(new Option('--kind <kind>', 'whose token').choices(['user', 'application']).default('application'))
    .option('--application <key>', 'application that the token is bound to')
    .addOption(
      new Option('--scope <scope>', 'scope of an application token; repeatable')
        .choices(SCOPES)
        .argParser((value: string, before: readonly string[]) => collect(value, before))
        .default([]),
    )
    .option('--expires-in <time>', 'lifetime in seconds, or a duration such as 12h or 30d')
    .action(async (options: CreateOptions) => {
      const request = parseRequest(options);
      const client = await context.connect();
      const issued = await client.tokens.create(request);
      showIssued(context, issued);
    });
  tokens
    .command('rotate')
    .description('replace a token with a new one of the same name, rights and lifetime, shown only once')
    .argument('<id>', 'id of the token')
    .option(
      '--overlap <time>',
      'how long the old token stays valid: seconds, or a duration such as 10m; at most 24h',
      '0',
    )
    .action(async (id: string, options: { readonly overlap: string }) => {
      const request = parseWith(rotateTokenRequest, { overlap_seconds: parseTime('--overlap', options.overlap) });
      const client = await context.connect();
      const issued = await client.tokens.rotate(id, request);
      showIssued(context, issued);
    });
  tokens
    .command('revoke')
    .description('revoke a token; takes effect everywhere within seconds')
    .argument('<id>', 'id of the token')
    .action(async (id: string) => {
      const client = await context.connect();
      await client.tokens.revoke(id);
      context.show({ json: { id, revoked: true }, blocks: () => asFields([['revoked', id]]) });
    });
}

/** A token with its secret, which is all that `--quiet` prints: there is no other time to see it. */
function showIssued(context: Context, issued: IssuedToken): void {
  context.show({
    json: issued,
    blocks: () => asFields([...summarize(issued), ['token', issued.token]]),
    quiet: [issued.token],
  });
  context.note('The token is not shown again. Give it to its program as ANSWER_EVIDENCE_TOKEN.');
}

function parseRequest(options: CreateOptions): CreateTokenRequest {
  return parseWith(createTokenRequest, {
    name: options.name,
    kind: options.kind,
    ...(options.application === undefined ? {} : { application_key: options.application }),
    ...(options.scope.length === 0 ? {} : { scopes: options.scope }),
    ...(options.expiresIn === undefined ? {} : { expires_in_seconds: parseTime('--expires-in', options.expiresIn) }),
  });
}

function summarize(token: TokenSummary): (readonly [string, string | null])[] {
  return [
    ['id', token.id],
    ['name', token.name],
    ['kind', token.kind],
    ['application', token.application_key],
    ['scopes', token.scopes.length === 0 ? null : token.scopes.join(' ')],
    ['expires', token.expires_at],
  ];
}

function viewTokens(items: readonly TokenSummary[]): Block {
  return asTable(
    ['id', 'name', 'kind', 'application', 'scopes', 'expires', 'last used', 'revoked'],
    items.map((token) => [...summarize(token).map(([, value]) => value), token.last_used_at, token.revoked_at]),
  );
}
