import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { init, parse } from 'es-module-lexer';

/*
 * The files of the bundle that each start needs become scripts, which `src/process/start/run-script.ts` runs: what V8 keeps of a script
 * takes no memory once it is read (docs/adr/0041). In the place of each is a module that hands on what the script exports, for the
 * files that are loaded on first use.
 *
 * A script is a function around the text of the module, whose columns stay where they are, since its map counts them. It takes what
 * others export when it begins: they have run before, since the files of a bundle import each other in one direction, and nothing
 * that they export is assigned later, as test/operation/start.deep-spec.ts holds.
 */

const RUNNER = './run-script.js';
/** As long as what they stand for. */
const NAMES = { 'import.meta': 'import_meta', import: '$mport' };
const COMMENT = /\n\/\/# sourceMappingURL=\S+\s*$/;
const EXPORT = /export\{([^}]*)\};?(?=\s*(\/\/# sourceMappingURL=\S+\s*)?$)/;

/**
 * @param {string} folder of the bundle
 * @param {string[]} names of the files
 */
export async function makeScripts(folder, names) {
  await init;
  await mkdir(join(folder, 'scripts'));
  for (const name of names) {
    const text = await readFile(join(folder, name), 'utf8');
    const { script, exported } = scriptOf(name, text);
    await writeFile(join(folder, 'scripts', name), script);
    await writeFile(join(folder, name), moduleOf(name, exported));
  }
}

/** The files that are loaded with the entries, themselves included. */
export function loadedWith({ outputs }, entries) {
  const found = new Set();
  const toSee = Object.keys(outputs).filter((path) => entries.includes(outputs[path].entryPoint));
  if (toSee.length !== entries.length) throw new Error(`Not each of ${entries} is a file of the bundle.`);
  for (let path = toSee.pop(); path !== undefined; path = toSee.pop()) {
    if (found.has(path)) continue;
    found.add(path);
    for (const { path: needed, kind, external } of outputs[path].imports)
      if (kind === 'import-statement' && !external) toSee.push(needed);
  }
  return [...found].map((path) => basename(path));
}

/** @throws Error if the file has something that a script cannot stand for */
function scriptOf(name, text) {
  for (const taken of Object.values(NAMES))
    if (text.includes(taken))
      throw new Error(`${name} uses the name ${taken}, which scripts.mjs gives to something else.`);
  const begins = [];
  const pieces = [];
  let copied = 0;
  /** Each replacement is as long as what it replaces. */
  const replace = (start, found, replacement) => {
    pieces.push(text.slice(copied, start), replacement);
    copied = start + found.length;
  };
  const [imports] = parse(text, name);
  for (const { type, specifier, importStart: start, importEnd: end } of imports) {
    if (type === 'import-meta') {
      replace(start, 'import.meta', NAMES['import.meta']);
    } else if (type === 'dynamic') {
      replace(start, 'import', NAMES.import);
    } else {
      const statement = text.slice(start, end);
      begins.push(beginOf(name, statement, specifier));
      replace(start, statement, blank(statement));
    }
  }
  const [statement, list = ''] = EXPORT.exec(text) ?? [];
  if (statement !== undefined) replace(text.lastIndexOf(statement), statement, blank(statement));
  const exported = namesIn(list);
  pieces.push(text.slice(copied));
  const code = pieces.join('');
  const [comment = ''] = COMMENT.exec(code) ?? [];
  const parameters = `$part,$outside,${NAMES.import},${NAMES['import.meta']}`;
  const script = [
    `(function(${parameters}){"use strict";${begins.join('')}`,
    code.slice(0, code.length - comment.length),
    `\nreturn{${exported.map(({ local, as }) => `${as}:${local}`).join(',')}}})`,
    comment.replace('=', '=../'),
  ].join('');
  return { script, exported };
}

/** Of a list such as `a,b as c`: what each is called here, and for others. */
function namesIn(list) {
  return list
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')
    .map((item) => {
      const [local, as = local] = item.split(/\s+as\s+/);
      return { local, as };
    });
}

function blank(text) {
  return text.replace(/[^\n]/g, ' ');
}

/** What an `import` statement of esbuild's does, at the beginning of a script. */
function beginOf(name, statement, specifier) {
  const source =
    specifier.startsWith('./') && specifier !== RUNNER ? `$part("${specifier}")` : `$outside("${specifier}")`;
  const clause = /^import\s*(.*?)\s*(?:from\s*)?"[^"]*"$|^import\s*(.*?)\s*(?:from\s*)?'[^']*'$/s.exec(statement);
  const wanted = clause?.[1] ?? clause?.[2];
  if (wanted === '') return `${source};`;
  const namespace = /^\*\s*as\s+([\w$]+)$/.exec(wanted);
  if (namespace) return `const ${namespace[1]}=${source};`;
  const names = /^\{([^}]*)\}$/s.exec(wanted);
  if (names) return `const{${names[1].replace(/\s+as\s+/g, ':').replace(/\s+/g, '')}}=${source};`;
  throw new Error(`${name} has an import that scripts.mjs does not know: ${statement}`);
}

/** For the files that import it. */
function moduleOf(name, exported) {
  const names = exported.map(({ as }) => as).filter((as) => as !== 'default');
  const rest = names.length < exported.length ? 'export default exports.default;' : '';
  return `import{exportsOf}from"${RUNNER}";const exports=exportsOf("${name}");export const{${names.join(',')}}=exports;${rest}\n`;
}
