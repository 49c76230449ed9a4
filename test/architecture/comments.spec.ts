import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';

const root = join(import.meta.dirname, '..', '..');

/** As wide as the formatter makes code, which breaks no comments. */
const WIDTH = 120;
const IS_COMMENT = /^\s*(?:\/\/|\/\*|\*)/;
const CANNOT_BE_BROKEN = /https?:\/\/|oxlint-disable/;

it(`Comments are at most ${WIDTH} characters wide, as code is`, () => {
  const files = globSync(['{src,test,bench,packages/*/{src,test}}/**/*.{ts,tsx}', '*.ts'], { cwd: root }).filter(
    (path) => !/node_modules|^src\/client\/generated|^test\/(?:clients\/admin-client|extension\/kept)\//.test(path),
  );
  expect(files.length).toBeGreaterThan(2_000);
  const wide = files.flatMap((path) =>
    readFileSync(join(root, path), 'utf8')
      .split('\n')
      .flatMap((line, index) =>
        line.length > WIDTH && IS_COMMENT.test(line) && !CANNOT_BE_BROKEN.test(line) ? [`${path}:${index + 1}`] : [],
      ),
  );
  expect(wide).toEqual([]);
});
