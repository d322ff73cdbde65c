/** What the configuration of an image says of how it is run: OCI image-spec, and Docker's health check. */
export type ImageConfig = {
  readonly Env: readonly string[];
  readonly Labels: Readonly<Record<string, string>>;
  readonly User: string;
  readonly WorkingDir: string;
  readonly Entrypoint: readonly string[];
  readonly ExposedPorts: Readonly<Record<string, object>>;
  readonly Healthcheck: {
    readonly Test: readonly string[];
    readonly Interval: number;
    readonly Timeout: number;
    readonly StartPeriod: number;
    readonly Retries: number;
  };
};

const NANOSECONDS = 1e9;

/**
 * What the last stage of the Dockerfile says of the image, with values for its arguments. Only the forms that it uses
 * are known; of another form it throws.
 */
export function parseImageConfig(dockerfile: string, given: Readonly<Record<string, string>>): ImageConfig {
  const last = dockerfile.slice(dockerfile.lastIndexOf('\nFROM ')).replace(/^#.*\n/gm, '');
  const lines = last
    .replace(/\\\n/g, ' ')
    .split('\n')
    .flatMap((line) => {
      const [, instruction = '', rest = ''] = /^([A-Z]+) +(.*)$/.exec(line) ?? [];
      return instruction === '' ? [] : [{ instruction, rest }];
    });
  const defaults = lines.flatMap(({ instruction, rest }) => (instruction === 'ARG' ? [splitPair(rest)] : []));
  const values: Readonly<Record<string, string>> = { ...Object.fromEntries(defaults), ...given };
  const fill = (text: string) =>
    text.replace(/\$\{(\w+)\}/g, (_, name: string) => {
      const value = values[name];
      if (value === undefined) throw new Error(`the Dockerfile has no argument ${name}`);
      return value;
    });
  const all = (wanted: string) =>
    lines.flatMap(({ instruction, rest }) => (instruction === wanted ? [fill(rest)] : []));
  const one = (wanted: string) => {
    const [found, ...more] = all(wanted);
    if (found === undefined || more.length > 0) throw new Error(`the Dockerfile must have one ${wanted}`);
    return found;
  };
  return {
    Env: all('ENV').flatMap((rest) => parsePairs(rest).map((pair) => pair.join('='))),
    Labels: Object.fromEntries(all('LABEL').flatMap(parsePairs)),
    User: one('USER'),
    WorkingDir: one('WORKDIR'),
    Entrypoint: parseWords(one('ENTRYPOINT')),
    ExposedPorts: Object.fromEntries(
      one('EXPOSE')
        .split(' ')
        .map((port) => [`${port}/tcp`, {}]),
    ),
    Healthcheck: parseHealthcheck(one('HEALTHCHECK')),
  };
}

function parseHealthcheck(rest: string): ImageConfig['Healthcheck'] {
  const [options = '', command = ''] = rest.split(' CMD ');
  const option = (name: string) => {
    const [, value] = new RegExp(`--${name}=(\\d+)s?(?: |$)`).exec(options) ?? [];
    if (value === undefined) throw new Error(`the health check of the Dockerfile has no --${name}`);
    return Number(value);
  };
  return {
    Test: ['CMD', ...parseWords(command)],
    Interval: option('interval') * NANOSECONDS,
    Timeout: option('timeout') * NANOSECONDS,
    StartPeriod: option('start-period') * NANOSECONDS,
    Retries: option('retries'),
  };
}

/** `a=b c="d e"`. */
function parsePairs(rest: string): (readonly [string, string])[] {
  const pairs = [...rest.matchAll(/([\w.]+)=(?:"([^"]*)"|(\S*))(?: +|$)/g)];
  if (pairs.map(([text]) => text).join('') !== rest) throw new Error(`the Dockerfile has other pairs: ${rest}`);
  return pairs.map(([, name = '', quoted, plain = '']) => [name, quoted ?? plain] as const);
}

function splitPair(text: string): readonly [string, string] {
  const [name = '', ...value] = text.split('=');
  return [name, value.join('=')];
}

function parseWords(text: string): readonly string[] {
  const words: unknown = JSON.parse(text);
  if (!Array.isArray(words)) throw new Error(`the Dockerfile has no list of words: ${text}`);
  return words.map(String);
}
