/**
 * The section of a version in a changelog of the form Keep a Changelog, as notes of a release.
 * @param {string} changelog
 * @param {string} version
 * @param {{ image: string, key?: string, source?: string }} facts `source`: the address of the repository, for links; without it they stay
 */
export function notesOf(changelog, version, { image, key, source }) {
  const heading = new RegExp(`^## \\[${version.replaceAll('.', '\\.')}\\].*$`, 'm').exec(changelog);
  if (!heading) throw new Error(`CHANGELOG.md has no section on ${version}.`);
  const rest = changelog.slice(heading.index + heading[0].length);
  const changes = rest.slice(0, /^## |^\[[^\]]+\]: /m.exec(rest)?.index ?? rest.length).trim();
  const signedBy = key === undefined ? 'Not signed.' : `Signed by the key ${key}.`;
  const text = `# Gatehouse ${version}\n\nImage: \`${image}\`. ${signedBy} [How to verify](docs/releasing.md#verify).\n\n${changes}\n`;
  return source === undefined ? text : text.replace(/\]\((?![a-z]+:|#)([^)]+)\)/g, `](${source}/blob/v${version}/$1)`);
}

/** Whether the version is still being worked on. */
export const isDated = (changelog, version) =>
  new RegExp(`^## \\[${version.replaceAll('.', '\\.')}\\] - \\d{4}-\\d\\d-\\d\\d$`, 'm').test(changelog);
