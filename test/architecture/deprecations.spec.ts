import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { DEPRECATIONS } from '../../src/foundation/extension/deprecation.js';

const root = join(import.meta.dirname, '..', '..');

/**
 * What a report of the public interface marks as deprecated: `export`s by their names, members after the name of what
 * they belong to.
 */
function deprecatedIn(report: string): string[] {
  const found: string[] = [];
  let owner = '';
  let isDeprecated = false;
  for (const line of report.split('\n')) {
    const [, exported] =
      /^(?:export )?(?:declare )?(?:abstract )?(?:class|interface|const|function|type) (\w+)/.exec(line) ?? [];
    const [, member] = /^ {4}(?:readonly |static |abstract |async )*(\w+)/.exec(line) ?? [];
    if (exported !== undefined) owner = exported;
    const name = exported ?? (member === undefined ? undefined : `${owner}.${member}`);
    if (isDeprecated && name !== undefined) found.push(name);
    if (/^\s*\/\/.*@deprecated/.test(line)) isDeprecated = true;
    else if (!/^\s*(?:\/\/.*)?$/.test(line)) isDeprecated = false;
  }
  return found;
}

describe('What goes away from the public interface', () => {
  it('is marked in the declarations, and told at start: both or neither', () => {
    const marked = globSync('api/*.api.md', { cwd: root }).flatMap((path) =>
      deprecatedIn(readFileSync(join(root, path), 'utf8')),
    );
    expect([...new Set(marked)].sort()).toEqual(DEPRECATIONS.map(({ member }) => member).sort());
  });

  it('is found in a report wherever it is', () => {
    const report = [
      '// @public @deprecated (undocumented)',
      'export const OLD: Seam<Old>;',
      '',
      '// @public',
      'export interface Kept {',
      '    readonly fine: string;',
      '    // @deprecated',
      '    readonly old?: number;',
      '    // (undocumented)',
      '    readonly deprecated?: boolean;',
      '}',
    ];
    expect(deprecatedIn(report.join('\n'))).toEqual(['OLD', 'Kept.old']);
  });

  it('has a sentence that says what to do instead, and goes in a later major version', () => {
    for (const { member, since, goesIn, remedy } of DEPRECATIONS) {
      expect([member, Number(goesIn.split('.')[0]) > Number(since.split('.')[0])]).toEqual([member, true]);
      expect([member, remedy]).toEqual([member, expect.stringMatching(/^[A-Z].*\.$/)]);
    }
  });
});
