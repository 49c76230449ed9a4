import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';

const root = join(import.meta.dirname, '..', '..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const sources = globSync('src/**/*.{ts,tsx}', { cwd: root }).filter((path) => !/\.spec\.tsx?$/.test(path));

/** What relies on something that a package, or Node, does not document says so, with the version that it is of. */
const reachIns = sources.flatMap((path) =>
  [...read(path).matchAll(/\bWritten against (\S+) ([\d.]+\d)[:,]/g)].map(([, name, version]) => ({
    path,
    name: name!,
    version: version!,
  })),
);

/** As precisely as it was written down: of Node the major version is what its releases keep. */
function installedVersion(name: string, written: string): string {
  const { version } = JSON.parse(read(`node_modules/${name}/package.json`)) as { version: string };
  return version.split('.').slice(0, written.split('.').length).join('.');
}

describe('What relies on private parts of other packages', () => {
  it('stands in these files, of which there are at most eight', () => {
    expect(reachIns.map(({ path, name }) => `${path}: ${name}`).sort()).toEqual([
      'src/admin/kit/wire/plain-fields.ts: @nestjs/swagger',
      'src/docs/site/system.ts: swagger-ui-dist',
      'src/extension/testing/statement-counter.ts: pg',
      'src/foundation/database/named-query.ts: pg',
      'src/foundation/database/service-pool.ts: pg-pool',
      'src/foundation/http/http2-messages.ts: express',
      'src/foundation/http/http2.ts: node',
      'src/foundation/http/nest-metadata.ts: @nestjs/common',
    ]);
  });

  it.each(reachIns)('$path was written against $name $version, which is installed', ({ name, version }) => {
    // After an upgrade: read that part of the package again, run the tests of the file, and write the new version down.
    expect(installedVersion(name, version)).toBe(version);
    expect(version.split('.').length).toBeGreaterThanOrEqual(name === 'node' ? 1 : 2);
  });

  it('is not imported anywhere else', () => {
    const [nest] = reachIns.filter(({ name }) => name === '@nestjs/common');
    const inside = /^import (?!type )[^;]* from '(?:@nestjs\/[a-z-]+|typeorm|pg|pg-pool|express|router)\/[^']+';/m;
    expect(sources.filter((path) => inside.test(read(path)))).toEqual([nest!.path]);
  });
});
