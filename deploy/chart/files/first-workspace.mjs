// The Job of the chart: makes the first workspace, and puts the token of its manager into a Secret.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { request } from 'node:https';

const { WORKSPACE_SLUG: slug, WORKSPACE_NAME: name, WORKSPACE_MANAGER: manager, SECRET_NAME: secret } = process.env;
const ACCOUNT = process.env.ACCOUNT_FOLDER ?? '/var/run/secrets/kubernetes.io/serviceaccount';
const FILE = '/tmp/first-workspace.yaml';
const [namespace, bearer] = ['namespace', 'token'].map((file) => readFileSync(`${ACCOUNT}/${file}`, 'utf8').trim());
const server = process.env.API_SERVER ?? 'https://kubernetes.default.svc';
const secrets = `${server}/api/v1/namespaces/${namespace}/secrets`;

const ca = readFileSync(`${ACCOUNT}/ca.crt`);

/** The status of a response of the API server. */
function ask(method, url, body) {
  const headers = { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' };
  return new Promise((resolve, reject) => {
    const asked = request(url, { method, headers, ca, timeout: 30_000 }, (response) => {
      response.resume().once('end', () => resolve(response.statusCode));
    });
    asked.once('timeout', () => asked.destroy(new Error('the API server does not respond')));
    asked.once('error', reject).end(body === undefined ? undefined : JSON.stringify(body));
  });
}

/** Nothing of a response is printed, since a Secret may be in it. */
function end(code, sentence) {
  console.log(sentence);
  process.exit(code);
}

const secretWith = (token) => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: secret },
  stringData: { token, slug },
});

const found = await ask('GET', `${secrets}/${secret}`);
if (found === 200) end(0, `the Secret ${secret} is there; nothing to do`);
// Tried first: a token that cannot be written down is lost, and its workspace stays.
const tried = await ask('POST', `${secrets}?dryRun=All`, secretWith('-'));
if (tried !== 201) end(1, `the Secret ${secret} cannot be made (HTTP ${tried}); nothing was done`);
const args = ['workspace-create', '--slug', slug, '--name', name, '--manager', manager, '--config', FILE];
const { status } = spawnSync('answer-evidence-operator', args, { stdio: ['ignore', 'inherit', 'inherit'] });
if (status !== 0) end(1, `the workspace "${slug}" was not made; the lines above say why`);
const token = /^ *token: *"?([^"\s]+)"?$/m.exec(readFileSync(FILE, 'utf8'))?.[1];
const written = await ask('POST', secrets, secretWith(token));
if (written !== 201)
  end(
    1,
    `the workspace "${slug}" is made, but its token is not in the Secret (HTTP ${written}): run ` +
      `answer-evidence-operator member-password-link --workspace ${slug} --username ${manager}`,
  );
end(0, `the workspace "${slug}" is made; the token of "${manager}" is in the Secret ${secret}`);
