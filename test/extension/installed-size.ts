import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type Manifest, ROOT, type Team } from './team.js';

/** What the package takes on a disk, with what it needs and what compiles an extension. */
export function installedBytes(team: Team): number {
  const { dependencies, peerDependencies, peerDependenciesMeta } = team.manifest;
  const needed = [...Object.keys({ ...dependencies, ...peerDependencies }), 'typescript', '@types/node'].filter(
    (name) => peerDependenciesMeta?.[name]?.optional !== true,
  );
  const own = blocksOf(team.path('node_modules', 'gatehouse'));
  return [...closureOf(needed)].reduce((sum, folder) => sum + blocksOf(folder), own);
}

/** The folders of these packages, and of all that they need. */
function closureOf(names: readonly string[]): Set<string> {
  const found = new Set<string>();
  const add = (name: string, from: string): void => {
    const places = [join(from, 'node_modules', name), join(ROOT, 'node_modules', name)];
    const folder = places.find((place) => existsSync(place));
    if (folder === undefined || found.has(folder)) return;
    found.add(folder);
    const { dependencies, peerDependencies, peerDependenciesMeta } = JSON.parse(
      readFileSync(join(folder, 'package.json'), 'utf8'),
    ) as Manifest;
    for (const needed of Object.keys(dependencies ?? {})) add(needed, folder);
    for (const needed of Object.keys(peerDependencies ?? {}))
      if (!peerDependenciesMeta?.[needed]?.optional) add(needed, folder);
  };
  for (const name of names) add(name, ROOT);
  return found;
}

/** What a folder takes on a disk, without packages below it. */
function blocksOf(folder: string): number {
  return readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => name !== 'node_modules')
    .map((entry) => {
      const path = join(folder, entry.name);
      return entry.isDirectory() ? blocksOf(path) + 4096 : Math.ceil(statSync(path).size / 4096) * 4096;
    })
    .reduce((sum, size) => sum + size, 0);
}
