import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from '@jest/globals';

const root = join(import.meta.dirname, '..', '..', 'src');

/** What the suffix of a file says about it: the file exports a class whose name ends in the same word. */
const SUFFIXES = ['service', 'controller', 'module', 'repository', 'filter', 'grant', 'guard', 'server', 'transport'];

const exportedClasses = (path: string): string[] =>
  [...readFileSync(join(root, path), 'utf8').matchAll(/^export (?:abstract )?class (\w+)/gm)].map(([, name]) => name!);

const toFileName = (className: string): string => className.replace(/(?<=[a-z0-9])(?=[A-Z])/g, '-').toLowerCase();

const files = globSync('**/*.ts', { cwd: root }).filter((path) => !path.endsWith('.spec.ts'));

describe('The suffix of a file tells the truth', () => {
  it.each(SUFFIXES)('`name.%s.ts` exports the class of that name', (suffix) => {
    const named = files.filter((path) => path.endsWith(`.${suffix}.ts`));
    expect(named).not.toEqual([]);
    const wanted = (path: string): string => basename(path, '.ts').replace('.', '-');
    expect(named.filter((path) => !exportedClasses(path).some((name) => toFileName(name) === wanted(path)))).toEqual(
      [],
    );
  });

  it('a class `…Service` stands in a file with the suffix', () => {
    const strays = files.filter(
      (path) => !path.endsWith('.service.ts') && exportedClasses(path).some((name) => name.endsWith('Service')),
    );
    expect(strays).toEqual([]);
  });
});
