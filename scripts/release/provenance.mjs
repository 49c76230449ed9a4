/**
 * What was made of what, as an in-toto Statement with SLSA's predicate: https://slsa.dev/spec/v1.0/provenance. Without times, so that two
 * builds say the same.
 * @param {object} facts
 * @param {ReadonlyArray<{ name: string, sha256: string }>} facts.subjects
 * @param {string} facts.revision the commit
 * @param {string} facts.builder a URI for who has built
 * @param {object} facts.parameters what the command was given
 * @param {ReadonlyArray<{ uri: string, digest: Record<string, string> }>} facts.materials beside the commit
 */
export function provenance({ subjects, revision, builder, parameters, materials }) {
  return {
    _type: 'https://in-toto.io/Statement/v1',
    subject: subjects.map(({ name, sha256 }) => ({ name, digest: { sha256 } })),
    predicateType: 'https://slsa.dev/provenance/v1',
    predicate: {
      buildDefinition: {
        buildType: 'urn:gatehouse:release:1',
        externalParameters: parameters,
        internalParameters: {},
        resolvedDependencies: [{ uri: 'git+urn:gatehouse:source', digest: { gitCommit: revision } }, ...materials],
      },
      runDetails: { builder: { id: builder } },
    },
  };
}

/** A package as its lock file has it: npm's `integrity` in the form of in-toto. */
export function material(name, { version, integrity }) {
  const [algorithm, hash] = integrity.split('-');
  return {
    uri: `pkg:npm/${name}@${version}`,
    digest: { [algorithm]: Buffer.from(hash, 'base64').toString('hex') },
  };
}
