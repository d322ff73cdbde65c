import { describe, expect, it } from '@jest/globals';
import { fakeProblem, type SeenRequest } from '../testing/fake-host.ts';
import { runTranscript } from '../testing/run-transcript.ts';
import { createEntry, ID } from '../testing/samples.ts';

const OTHER = ID.replace(/.$/, '0');
/** A pack with what is read of each bundle. */
const packOf = ({ body }: Pick<SeenRequest, 'body'>) => {
  const { answer_log_ids: ids, texts } = JSON.parse(body);
  const format = `answer-evidence-bundle/${texts === 'withheld' ? 'v2' : 'v1'}`;
  const bundles = ids.map((id: string, n: number) => {
    const bundle = { format, record: { core: { id }, entry: createEntry('answer_recorded', id, id) } };
    return `<script type="application/json" id="bundle-${n + 1}">${JSON.stringify(bundle)}</script>`;
  });
  return `<!doctype html>\n<p>a pack</p>${bundles.join('\n')}`;
};
const PACK = (...ids: readonly string[]) => packOf({ body: JSON.stringify({ answer_log_ids: ids }) });
const routes = { 'POST /api/trust/packs': { headers: { 'content-type': 'text/html' }, bodyFor: packOf } };

describe('records pack', () => {
  it('writes the pack of every record that is named as it comes, and says that it contains the texts', async () => {
    const { exitCode, calls, files, stdout, stderr } = await runTranscript(
      ['records', 'pack', ID, OTHER, '--out', 'p.html'],
      routes,
    );
    expect(calls.map(({ body }) => JSON.parse(body))).toEqual([{ answer_log_ids: [ID, OTHER] }]);
    expect([exitCode, stdout, files.get('p.html')]).toEqual([0, '', PACK(ID, OTHER)]);
    expect(stderr).toMatch(/^Wrote p\.html\. It contains the texts of the records; an entry of the log names it\./);
  });

  it('withholds the texts where that is asked for, and says so', async () => {
    const argv = ['records', 'pack', ID, '--withhold-texts', '--out', 'p.html'];
    const { calls, stderr } = await runTranscript(argv, routes);
    expect(calls.map(({ body }) => JSON.parse(body))).toEqual([{ answer_log_ids: [ID], texts: 'withheld' }]);
    expect(stderr).toContain('It withholds the texts');
  });

  it('says for whom and for what the pack is, and asks for links', async () => {
    const cover = ['--recipient', 'Court', '--purpose', 'Case 7', '--proof-links'];
    const { calls } = await runTranscript(['records', 'pack', ID, '--out', 'p.html', ...cover], routes);
    const proofLinks = { expires_in_seconds: 30 * 86_400 };
    expect(calls.map(({ body }) => JSON.parse(body))).toEqual([
      { answer_log_ids: [ID], recipient: 'Court', purpose: 'Case 7', proof_links: proofLinks },
    ]);
  });

  it('writes to standard output for -, and to no file of that name', async () => {
    const { stdout, stderr, files } = await runTranscript(['records', 'pack', ID, '--out', '-'], routes);
    expect([stdout, files.has('-')]).toEqual([PACK(ID), false]);
    expect(stderr).toMatch(/^Wrote the pack\./);
  });

  it('refuses what is no id, and more records than a pack holds, before it asks', async () => {
    for (const ids of [['none'], Array.from({ length: 201 }, () => ID)]) {
      const { exitCode, calls, stderr } = await runTranscript(['records', 'pack', ...ids, '--out', 'p.html'], routes);
      expect([exitCode, calls]).toEqual([2, []]);
      expect(stderr).toContain('/answer_log_ids');
    }
  });

  it('writes nothing where a record is not there', async () => {
    const refusal = { status: 404, body: fakeProblem(404, 'not_found', 'no such record') };
    const { exitCode, files } = await runTranscript(['records', 'pack', ID, '--out', 'p.html'], {
      'POST /api/trust/packs': refusal,
    });
    expect([exitCode, files.has('p.html')]).toEqual([1, false]);
  });
});
