import { existsSync, globSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, join, resolve, sep } from 'node:path';

/*
 * What a package of the workspace may import (docs/adr/0089): what a team with a repository of its own could import as well.
 */

/** What Gatehouse keeps stable for extensions, and what their tests have besides. */
const PUBLIC = ['gatehouse', 'gatehouse/admin'];
const TESTING = 'gatehouse/testing';
/** A test stands beside a source, or in the folder of those over the wire. */
const TEST = /\.spec\.tsx?$|\.fixture\.ts$/;

/** @type {import('eslint').Rule.RuleModule} */
const imports = {
  meta: {
    type: 'problem',
    schema: [{ type: 'object', properties: { folder: { type: 'string' } }, required: ['folder'] }],
    messages: {
      outside:
        '"{{name}}" leads out of {{part}}. A package imports its own files, and others by the names of their packages.',
      inside:
        '"{{name}}" is not for packages: they import "gatehouse" and "gatehouse/admin", and their tests "gatehouse/testing".',
      other: '"{{name}}" is another package of the workspace. Each is loaded without the others.',
      unnamed: '"{{name}}" is not in {{where}}. Name it there, or do without it.',
      builtin: 'Write "node:{{name}}".',
      hidden: 'What is imported must stand here as text.',
    },
  },
  create(context) {
    const { folder } = context.options[0];
    const isTest = TEST.test(context.filename) || context.filename.startsWith(join(folder, 'test') + sep);
    const part = isTest ? folder : join(folder, 'src');
    const named = packagesFor(folder, isTest);
    const report = (node, messageId, data) => context.report({ node, messageId, data });

    const check = (node, name) => {
      if (name.startsWith('.')) {
        if (!resolve(dirname(context.filename), name).startsWith(part + sep))
          report(node, 'outside', { name, part: tail(part) });
        return;
      }
      if (name.startsWith('node:')) {
        if (name === 'node:module') report(node, 'hidden'); // it makes functions that load files
        return;
      }
      if (isBuiltin(name)) return report(node, 'builtin', { name });
      if (PUBLIC.includes(name) || (isTest && name === TESTING)) return;
      const ofPackage = /^(?:@[^/]+\/)?[^/]+/.exec(name)?.[0] ?? name;
      if (ofPackage === 'gatehouse') return report(node, 'inside', { name });
      if (workspace.has(ofPackage)) return report(node, 'other', { name });
      const where = `dependencies or peerDependencies of ${tail(folder)}/package.json`;
      if (!named.has(ofPackage))
        report(node, 'unnamed', { name, where: isTest ? `${where}, nor a devDependency` : where });
    };
    /** Of an import that is written as an expression. */
    const checkText = (node, source) => {
      if (source?.type === 'Literal' && typeof source.value === 'string') check(node, source.value);
      else report(node, 'hidden');
    };
    const checkSource = (node) => {
      if (node.source) check(node, node.source.value);
    };
    return {
      ImportDeclaration: checkSource,
      ExportNamedDeclaration: checkSource,
      ExportAllDeclaration: checkSource,
      ImportExpression: (node) => checkText(node, node.source),
      TSImportType: (node) => checkText(node, node.source),
      TSExternalModuleReference: (node) => checkText(node, node.expression),
    };
  },
};

const root = join(import.meta.dirname, '..', '..');
const manifestOf = (folder) => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
const folders = globSync('packages/*/package.json', { cwd: root }).map((file) => dirname(join(root, file)));
const workspace = new Set(folders.map((folder) => manifestOf(folder).name));

/** `packages/scim/src` of the whole path. */
function tail(path) {
  return path.slice(root.length + 1).replaceAll(sep, '/');
}

/** The names of packages that files of this one may import. */
function packagesFor(folder, isTest) {
  const { dependencies, peerDependencies, devDependencies } = existsSync(folder) ? manifestOf(folder) : {};
  return new Set(
    Object.keys({
      ...dependencies,
      ...peerDependencies,
      ...(isTest ? { ...devDependencies, ...manifestOf(root).devDependencies } : {}),
    }),
  );
}

/** Each package of the workspace. */
export const PACKAGES = folders;

/** For `plugins` of a configuration: the rule `packages/imports`. */
export const packageRules = { rules: { imports } };
