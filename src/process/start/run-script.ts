import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire, enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';
import { cachedDataVersionTag } from 'node:v8';
import { Script } from 'node:vm';
import { crc32 } from 'node:zlib';

/*
 * Runs the files of the bundle that each start needs, which are scripts (scripts/build/scripts.mjs). Node's compile
 * cache keeps what V8 compiled of a module for as long as the process lives; what V8 compiled of a script is given back
 * once V8 has read it (docs/adr/0041). This file lies in the bundle itself, beside the modules that hand on what the
 * scripts export.
 */

type Exports = Readonly<Record<string, unknown>>;

/** What a script evaluates to: the code of the file, which takes what `import` and `import.meta` give to a module. */
type Body = (
  part: (specifier: string) => Exports,
  outside: NodeJS.Require,
  load: (specifier: string) => Promise<unknown>,
  meta: { readonly url: string },
) => Exports;

/** A script that V8 had to compile, until what it made is kept. */
interface Compiled {
  readonly script: Script;
  readonly file: URL;
}

const HERE = import.meta.url;
const COMPILED = new URL('../compiled/', HERE);
/** V8 says in the tag what else it must fit: its version, its flags and the processor. */
const FOLDER = new URL(
  `scripts-${process.version}-${cachedDataVersionTag().toString(16)}-${process.getuid?.() ?? 'any'}/`,
  COMPILED,
);
/** Before what V8 made: its checksum, since V8 trusts it. */
const CHECKSUM_BYTES = 4;

const outside = createRequire(HERE);
const load = (specifier: string): Promise<unknown> => import(specifier);
const part = (specifier: string): Exports => exportsOf(specifier.slice('./'.length));
const done = new Map<string, Exports>();
const notKept: Compiled[] = [];

/** What a script exports, which runs when it is first asked for. @param name of its file, such as `service.js` */
export function exportsOf(name: string): Exports {
  const known = done.get(name);
  if (known) return known;
  const meta = { url: new URL(name, HERE).href };
  const exports = bodyOf(name)(part, outside, load, meta);
  done.set(name, exports);
  return exports;
}

/**
 * Keeps what V8 has compiled for the next start. Without the right to write there, nothing is kept. From then on Node
 * keeps in the same folder what V8 compiles of modules.
 */
export function keepCompiled(): void {
  for (const { script, file } of notKept.splice(0)) {
    const data = script.createCachedData();
    const checksum = Buffer.alloc(CHECKSUM_BYTES);
    checksum.writeUInt32LE(crc32(data));
    try {
      mkdirSync(FOLDER, { recursive: true, mode: 0o700 });
      // Another process may keep the same, or read it.
      const written = new URL(`${file.href}.${process.pid}`);
      writeFileSync(written, Buffer.concat([checksum, data]), { mode: 0o600 });
      renameSync(written, file);
    } catch {
      break;
    }
  }
  enableCompileCache(fileURLToPath(COMPILED));
}

function bodyOf(name: string): Body {
  const place = new URL(`scripts/${name}`, HERE);
  const text = readFileSync(place, 'utf8');
  // With --enable-source-maps Node finds the map of what is evaluated, not that of a script.
  // oxlint-disable-next-line no-eval -- a file of the build, as below, where Script runs it
  if (process.sourceMapsEnabled) return (0, eval)(`${text}\n//# sourceURL=${place.href}`) as Body;
  const file = new URL(`${name}-${crc32(text).toString(16)}`, FOLDER);
  const cachedData = readKept(file);
  const script = new Script(text, { filename: place.href, ...(cachedData && { cachedData }) });
  if (script.cachedDataRejected !== false) notKept.push({ script, file });
  return script.runInThisContext() as Body;
}

function readKept(file: URL): Buffer | undefined {
  let kept: Buffer;
  try {
    kept = readFileSync(file);
  } catch {
    return undefined; // the first start, or one that may not read it
  }
  const data = kept.subarray(CHECKSUM_BYTES);
  return kept.length > CHECKSUM_BYTES && kept.readUInt32LE() === crc32(data) ? data : undefined;
}
