import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';

const root = join(import.meta.dirname, '..', '..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

/** What a report of the public interface declares, by names. */
function declarationsOf(report: string): Map<string, string> {
  // Behind the last one, a report says that the package has no comment of its own.
  const code = /^```ts\n(.*?)^(?:\/\/ \(No @packageDocumentation|```$)/ms.exec(report)?.[1] ?? '';
  const found = new Map<string, string>();
  for (const one of underTheirNames(code).split(/\n(?=\/\/ @(?:public|beta))/)) {
    const name = /^export (?:declare )?(?:abstract )?(?:class|interface|const|function|type) (\w+)/m.exec(one)?.[1];
    // Overloads are declared one by one.
    if (name !== undefined) found.set(name, (found.get(name) ?? '') + one.trim());
  }
  return found;
}

/** A name that a type of Node has as well is declared as `Name_2` and exported as `Name`: nobody notices that. */
function underTheirNames(code: string): string {
  const aliases = [...code.matchAll(/^export \{ (\w+) as (\w+) \}\n?/gm)];
  return aliases.reduce(
    (text, [line, alias, name]) =>
      text
        .replace(line, '')
        .replace(
          new RegExp(`^(?:declare )?(class|interface|type|function|const) ${alias}\\b`, 'm'),
          `export $1 ${name}`,
        )
        .replaceAll(new RegExp(`\\b${alias}\\b`, 'g'), name!),
    code,
  );
}

/** The names that have come, gone or changed between two reports. */
function changesBetween(before: string, now: string): string[] {
  const [old, own] = [declarationsOf(before), declarationsOf(now)];
  return [...new Set([...old.keys(), ...own.keys()])].filter((name) => old.get(name) !== own.get(name));
}

/** What the changelog says of versions after this one: everything if it has no section of its own. */
function newsSince(version: string, changelog: string): string {
  return changelog.split(`\n## [${version}]`)[0]!;
}

describe('A change of the public interface since the last release', () => {
  // A folder by the version, with the reports of that release: see CONTRIBUTING.md, Releases.
  const [released, ...others] = readdirSync(join(root, 'api/released'));
  const news = newsSince(released!, read('CHANGELOG.md'));

  it.each(globSync('api/*.api.md', { cwd: root }))(
    '%s is told in CHANGELOG.md by the names of what it is about',
    (path) => {
      const before = join('api/released', released!, path.slice('api/'.length));
      const changed = changesBetween(existsSync(join(root, before)) ? read(before) : '', read(path));
      const untold = changed.filter((name) => !new RegExp(`\`[^\`\n]*\\b${name}\\b[^\`\n]*\``).test(news));
      // Say in the topmost section what teams get, or must do, and name these in backticks.
      expect(untold).toEqual([]);
    },
  );

  it('is measured from the newest version that the changelog calls released', () => {
    const newest = /^## \[(.+?)\] - \d{4}-\d{2}-\d{2}$/m.exec(read('CHANGELOG.md'))?.[1];
    expect([released, others]).toEqual([newest ?? '0.1.0-pre', []]);
  });

  it('is found whether something has come, gone or changed', () => {
    const report = (...parts: readonly string[]) => `# Report\n\n\`\`\`ts\n\n${parts.join('\n\n')}\n\n\`\`\`\n`;
    const kept = '// @public\nexport interface Kept {\n    // (undocumented)\n    readonly one: string;\n}';
    const gone = '// @beta (undocumented)\nexport const GONE: Seam<Gone>;';
    const come = '// @public\nexport abstract class Come {}';
    expect(changesBetween(report(kept, gone), report(come, kept))).toEqual(['GONE', 'Come']);
    expect(changesBetween(report(kept), report(kept.replace('one:', 'one?:')))).toEqual(['Kept']);
    expect(newsSince('1.0.0', '# Changelog\n\n## [1.1.0]\n\nNews\n\n## [1.0.0] - 2027-01-01\n\nOld')).not.toContain(
      'Old',
    );
  });
});
