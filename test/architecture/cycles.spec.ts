import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { importedFiles } from './imported-files.js';

const root = join(import.meta.dirname, '..', '..');

/** Depth first: a file that is met again while its own imports are being followed closes a circle. */
function circles(imports: ReadonlyMap<string, readonly string[]>): string[] {
  const found: string[] = [];
  const done = new Set<string>();
  const follow = (file: string, way: readonly string[]): void => {
    const met = way.indexOf(file);
    if (met >= 0) found.push([...way.slice(met), file].map((path) => path.slice(root.length + 1)).join(' > '));
    if (met >= 0 || done.has(file)) return;
    for (const next of imports.get(file) ?? []) follow(next, [...way, file]);
    done.add(file);
  };
  for (const file of imports.keys()) follow(file, []);
  return found;
}

describe('No files import each other in a circle', () => {
  it('not even for their types alone', () => {
    const imports = importedFiles('**/*.{ts,tsx}');
    expect([...imports.values()].flat().length).toBeGreaterThan(2_000);
    expect(circles(imports)).toEqual([]);
  });

  it('and the search of this test finds a circle', () => {
    const imports = new Map([
      [join(root, 'a.ts'), [join(root, 'b.ts')]],
      [join(root, 'b.ts'), [join(root, 'c.ts'), join(root, 'a.ts')]],
      [join(root, 'c.ts'), []],
    ]);
    expect(circles(imports)).toEqual(['a.ts > b.ts > a.ts']);
  });
});
