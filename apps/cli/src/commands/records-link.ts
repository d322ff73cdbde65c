import { type Command, Option } from 'commander';
import { createProofLinkRequest, type ProofLink, proofLinkShows } from '@answer-evidence/contracts';
import type { Context } from '../context.ts';
import { parseWith } from '../issues.ts';
import { given, parseTime } from '../options.ts';
import { asFields, asTable } from '../output/blocks.ts';

type CreateOptions = { readonly shows?: string; readonly expiresIn?: string };

/** `records link create|list|revoke`: links that show one record to the person concerned. */
export function addLinkCommands(records: Command, context: Context): void {
  const links = records.command('link').description('links that show one record to the person concerned');
  links
    .command('create')
    .description('make a link that anyone who has it can open; it is shown only once')
    .argument('<record>', 'id of the record')
    .addOption(new Option('--shows <what>', 'what it shows (default record)').choices(proofLinkShows.options))
    .option('--expires-in <time>', 'lifetime in seconds, or a duration such as 12h or 30d (default 30d, at most 90d)')
    .action(async (record: string, { shows, expiresIn }: CreateOptions) => {
      const life = expiresIn === undefined ? undefined : parseTime('--expires-in', expiresIn);
      const body = parseWith(createProofLinkRequest, given({ shows, expires_in_seconds: life }));
      const made = await (await context.connect()).proofLinks.create(record, body);
      context.show({ json: made, blocks: () => asFields([...summarize(made), ['url', made.url]]), quiet: [made.url] });
      context.note('The link is not shown again. Anyone who has it sees the record until it expires or is revoked.');
    });
  links
    .command('list')
    .description('list the links of a record, newest first, without what opens them')
    .argument('<record>', 'id of the record')
    .action(async (record: string) => {
      const client = await context.connect();
      const found = await client.proofLinks.list(record);
      const rows = found.items.map((one) => [
        one.id,
        one.shows,
        one.created_at,
        one.expires_at,
        one.revoked_at ?? '',
        one.opened_at ?? '',
      ]);
      context.show({
        json: found,
        blocks: () => asTable(['id', 'shows', 'created', 'expires', 'revoked', 'last opened'], rows),
        quiet: found.items.map(({ id }) => id),
      });
    });
  links
    .command('revoke')
    .description('revoke a link: it opens nothing from then on')
    .argument('<record>', 'id of the record')
    .argument('<link>', 'id of the link')
    .action(async (record: string, link: string) => {
      const client = await context.connect();
      await client.proofLinks.revoke(record, link);
      context.show({ json: { id: link, revoked: true }, blocks: () => asFields([['revoked', link]]) });
    });
}

function summarize({ id, shows, expires_at: expiresAt }: ProofLink): readonly (readonly [string, string])[] {
  return [
    ['id', id],
    ['shows', shows],
    ['expires', expiresAt],
  ];
}
