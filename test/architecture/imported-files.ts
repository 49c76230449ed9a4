import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import ts from 'typescript';

export const SOURCE = join(import.meta.dirname, '..', '..', 'src');

/**
 * The files of the service that match, and the files of ours that each imports: for values or, which lint does not see,
 * for types alone.
 */
export function importedFiles(pattern: string): Map<string, string[]> {
  const paths = globSync(pattern, { cwd: SOURCE }).filter((path) => !/\.(spec|fixture)\.tsx?$/.test(path));
  return new Map(
    paths.map((path) => {
      const file = join(SOURCE, path);
      const { importedFiles: imported } = ts.preProcessFile(readFileSync(file, 'utf8'));
      return [file, imported.flatMap(({ fileName }) => sourceOf(resolve(dirname(file), fileName)))];
    }),
  );
}

function sourceOf(imported: string): string[] {
  return ['.ts', '.tsx'].map((ending) => imported.replace(/\.js$/, ending)).filter((path) => existsSync(path));
}
