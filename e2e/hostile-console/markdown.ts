import { expect, it } from '@jest/globals';
import type { HostileConsole } from './hostile-console.ts';
import { ELSEWHERE, NAMES } from './texts.ts';

/** Each construct of Markdown around a text, which has no line of its own in most of them. */
const CONSTRUCTS: readonly ((text: string) => string)[] = [
  (text) => `# ${text}`,
  (text) => `${text}\n---`,
  (text) => `[${text}](${text})`,
  (text) => `[a](<${text}>)`,
  (text) => `[a](https://example.com "${text}")`,
  (text) => `![${text}](${text})`,
  (text) => `![a](<${text}> '${text}')`,
  (text) => `<${text}>`,
  (text) => `[a][r]\n\n[r]: <${text}> "${text}"`,
  (text) => `> ${text}\n>> ${text}`,
  (text) => `- ${text}\n- ${text}\n  1. ${text}`,
  (text) => `| ${text} | a |\n| --- | --- |\n| ${text} | ${text} |`,
  (text) => `\`\`\`${text.replaceAll('`', '')}\n${text}\n\`\`\``,
  (text) => `    ${text}`,
  (text) => `**${text}** *${text}* ~~${text}~~ \`${text}\``,
  (text) => `\n${text}\n`,
];
/** What a text must not become: nothing of it loads, runs, leads anywhere, or takes a name or a style. */
const ACTING =
  'a, img, script, style, iframe, object, embed, form, input, button, svg, math, link, meta, base, video, audio, ' +
  '[style], [id], [name], [href], [src], [srcset], [onclick], [onerror], [onload]';
/** Of nested texts a page shows a part as it stands, and hangs in none of them. */
const NESTED = ['> '.repeat(20_000), '- '.repeat(20_000), '['.repeat(50_000), '*a '.repeat(50_000), '`'.repeat(99_999)];

/** Tests of hostile texts that are Markdown, which the page of a record renders. */
export function testMarkdown(open: () => HostileConsole): void {
  async function reveal(answer: string): Promise<string> {
    const { service, page, site } = open();
    const body = { application_key: 'markdown-bot', question: { text: 'plain' }, answer: { text: answer } };
    const made = await service.call('POST', '/api/answer-audit-logs', { body });
    expect([made.status, made.body?.errors]).toEqual([201, undefined]);
    const at = `records/${made.body.id}`;
    await page.goto(`${site.url}${at}`);
    await page.getByRole('button', { name: 'Show the texts' }).click();
    await page.getByRole('dialog').getByRole('textbox', { name: 'Reason' }).fill(ELSEWHERE);
    await page.getByRole('dialog').getByRole('button', { name: 'Read the texts' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Show as source' }).waitFor();
    return at;
  }
  const rendered = () => open().page.locator('[role=region][aria-label="Answer that holds now"]');

  it.each(CONSTRUCTS.map((construct) => [construct('TEXT'), construct] as const))(
    'do nothing as Markdown: %j',
    async (_, construct) => {
      const { page, inspect } = open();
      const at = await reveal(['# Answer', ...NAMES.map(construct)].join('\n\n').slice(0, 250_000));
      await rendered().locator('p').first().waitFor();
      expect(await rendered().locator(ACTING).count()).toBe(0);
      await inspect(at);
      await page.getByRole('button', { name: 'Show as source' }).click();
      await inspect(at);
    },
    120_000,
  );

  it('are shown where they are nested deeper than anybody reads', async () => {
    for (const text of NESTED) {
      const at = await reveal(`# Answer\n\n${text}`);
      await rendered().waitFor();
      await open().inspect(at);
    }
  }, 120_000);
}
