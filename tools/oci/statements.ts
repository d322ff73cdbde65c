/** An in-toto statement, version 1: what somebody says of the subject. It is not signed. */
type Statement = { readonly predicateType: string; readonly predicate: object };

/** What an image was made of and how, as its statements say. */
type Making = {
  readonly name: string;
  /** Of the manifest that the statements are about. */
  readonly digest: string;
  readonly platform: string;
  readonly revision: string;
  readonly base: string;
  /** SHA-256 of the lock file, which names every package by its SHA-512. */
  readonly lock: string;
  /** CycloneDX, with the packages of the base. */
  readonly materials: object;
};

/** The bill of materials and the provenance of an image, each as the text of a statement. */
export function formatStatements(making: Making): readonly { readonly predicateType: string; readonly text: string }[] {
  const subject = [{ name: making.name, digest: parseDigest(making.digest) }];
  const statements: readonly Statement[] = [
    { predicateType: 'https://cyclonedx.org/bom', predicate: making.materials },
    { predicateType: 'https://slsa.dev/provenance/v1', predicate: createProvenance(making) },
  ];
  return statements.map(({ predicateType, predicate }) => ({
    predicateType,
    text: JSON.stringify({ _type: 'https://in-toto.io/Statement/v1', subject, predicateType, predicate }),
  }));
}

/** SLSA 1.0. It has no time, so that two builds say the same. */
function createProvenance({ platform, revision, base, lock }: Making): object {
  return {
    buildDefinition: {
      buildType: 'urn:answer-evidence:image:1',
      externalParameters: { platform },
      resolvedDependencies: [
        { name: 'sources', digest: { gitCommit: revision.replace(/-.*/, '') } },
        { name: 'base image', digest: parseDigest(base) },
        { name: 'package-lock.json', digest: parseDigest(lock) },
      ],
    },
    runDetails: {
      builder: { id: 'urn:answer-evidence:npm-run-image' },
      // Whether the sources were those of the commit.
      metadata: { invocationId: revision },
    },
  };
}

function parseDigest(digest: string): Readonly<Record<string, string>> {
  const [algorithm = '', hex = ''] = digest.split(':');
  return { [algorithm]: hex };
}
