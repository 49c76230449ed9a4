import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { setImmediate as breathe } from 'node:timers/promises';
import { transformSync } from '@swc/core';

/** Next to a source: read by it, or served. */
const ASSET = /\.(json|css|svg|html|js|mjs|txt)$/;
const SOURCE = /\.tsx?$/;
const NOT_BUILT = /\.(spec|fixture)\.tsx?$|\.d\.m?ts$/;

/**
 * Compiles every source to a file of its own, as `tsc` does with tsconfig.src.json, types unchecked (`npm run typecheck` does that), and
 * copies what lies beside them. Files of sources that are gone go too.
 * @param {string} source folder
 * @param {string} target folder
 * @param {{ keep: readonly string[], progress: (done: number, all: number) => void, signal?: AbortSignal }} options `keep`: names in
 * the target that are not ours
 * @returns {Promise<string[]>} every file that was written
 */
export async function compile(source, target, { keep, progress, signal }) {
  const files = readdirSync(source, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(source, join(entry.parentPath, entry.name)))
    .filter((file) => !NOT_BUILT.test(file) && (SOURCE.test(file) || ASSET.test(file)));
  mkdirSync(target, { recursive: true });
  const written = new Set();
  for (const [index, file] of files.entries()) {
    signal?.throwIfAborted();
    const made = join(target, file.replace(SOURCE, '.js'));
    mkdirSync(dirname(made), { recursive: true });
    written.add(made);
    if (SOURCE.test(file)) {
      const { code, map } = compileOne(join(source, file), made);
      writeFileSync(made, `${code}\n//# sourceMappingURL=${made.slice(made.lastIndexOf(sep) + 1)}.map`);
      writeFileSync(`${made}.map`, map);
      written.add(`${made}.map`);
    } else {
      copyFileSync(join(source, file), made);
    }
    progress(index + 1, files.length);
    if (index % 50 === 0) await breathe(); // signals are heard in between
  }
  removeOthers(target, written, keep);
  return [...written].sort();
}

/** By `.swcrc`, as `nest build` does. */
function compileOne(path, made) {
  return transformSync(readFileSync(path, 'utf8'), {
    filename: path,
    sourceFileName: relative(dirname(made), path).replaceAll(sep, '/'),
    outputPath: made,
  });
}

function removeOthers(folder, written, keep) {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (keep.includes(name) || written.has(path)) continue;
    if (!statSync(path).isDirectory()) rmSync(path);
    else if ([...written].some((file) => file.startsWith(path + sep))) removeOthers(path, written, []);
    else rmSync(path, { recursive: true });
  }
}
