import { readdirSync } from 'node:fs';
import parser from '@typescript-eslint/parser';
import { createNodeResolver, importX } from 'eslint-plugin-import-x';
import { DOMAIN, EDGES, FOUNDATIONS, OUTERMOST, USE_CASES } from './architecture.mjs';

const root = import.meta.dirname;

const domain = Object.keys(DOMAIN);
const modules = [...Object.keys(OUTERMOST), ...EDGES, ...USE_CASES, ...domain, 'foundation'];

function mayImport(name) {
  if (name in OUTERMOST) return [...OUTERMOST[name], ...EDGES, ...USE_CASES, ...domain];
  if (EDGES.includes(name)) return [...USE_CASES, ...domain];
  if (USE_CASES.includes(name)) return domain;
  return reachable(name);
}

function reachable(name, seen = new Set()) {
  for (const next of DOMAIN[name] ?? []) {
    if (!seen.has(next)) reachable(next, seen.add(next));
  }
  return [...seen];
}

const arrows = modules.map((name) => ({
  target: `./src/${name}`,
  from: './src',
  except: [...new Set([name, ...mayImport(name), 'foundation'])].map((other) => `./${other}`),
  message: ` There is no arrow from ${name} to it (see architecture.mjs).`,
}));

const noNeighbours = " A neighbour's repository is private: a table has one module that writes it. Ask its service.";

const repositories = [
  ...modules.map((name) => ({
    target: `./src/${name}`,
    from: `./src/!(${name})/**/*.repository.ts`,
    message: noNeighbours,
  })),
  ...FOUNDATIONS.map((name) => ({
    target: `./src/foundation/${name}`,
    from: `./src/foundation/!(${name})/**/*.repository.ts`,
    message: noNeighbours,
  })),
];

const strangers = [
  ...foldersOf('src').filter((name) => !modules.includes(name)),
  ...foldersOf('src/foundation')
    .filter((name) => !FOUNDATIONS.includes(name))
    .map((name) => `foundation/${name}`),
].map((name) => `src/${name}/**`);

function foldersOf(path) {
  return readdirSync(`${root}/${path}`, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name);
}

/** Refuses a whole file, whatever is in it. */
const refuseFile = (message) => ({ 'no-restricted-syntax': ['error', { selector: 'Program', message }] });

/** What this house forbids. Mistakes in any TypeScript are found by Oxlint: .oxlintrc.json. */
export default [
  {
    ignores: [
      'dist/',
      'test/extension/kept/', // compiled
      'lib/', // what the package is made of
      'coverage/',
      '.data/',
      '**/node_modules/',
      'test/screenshots/',
      'test/clients/admin-client/',
      'bench/results/',
      'examples/', // projects of their own, which the tests compile
      'api/',
    ],
  },
  {
    files: ['src/**/*.ts', 'src/**/*.tsx'],
    languageOptions: { parser },
    // The comments that turn a rule off speak to Oxlint.
    linterOptions: { reportUnusedDisableDirectives: 'off' },
    plugins: { 'import-x': importX },
    settings: {
      'import-x/extensions': ['.ts', '.tsx'],
      'import-x/parsers': { '@typescript-eslint/parser': ['.ts', '.tsx'] },
      'import-x/resolver-next': [
        createNodeResolver({
          extensions: ['.ts', '.tsx', '.js', '.json'],
          extensionAlias: { '.js': ['.ts', '.tsx', '.js'] },
        }),
      ],
    },
    rules: {
      // Circles are found by test/architecture/cycles.spec.ts, also those of types, in a second instead of half a minute.
      'import-x/no-restricted-paths': ['error', { basePath: root, zones: [...arrows, ...repositories] }],
    },
  },
  {
    files: ['src/**/*.ts', 'src/**/*.tsx'],
    ignores: ['src/foundation/config/**', 'src/**/*.spec.ts', 'src/**/*.fixture.ts'],
    rules: {
      'no-restricted-properties': [
        'error',
        {
          object: 'process',
          property: 'env',
          message: 'Only src/foundation/config reads the environment; take a config class.',
        },
      ],
      'no-restricted-imports': [
        'error',
        {
          paths: ['process', 'node:process'].map((name) => ({
            name,
            importNames: ['env'],
            message: 'Only src/foundation/config reads the environment.',
          })),
        },
      ],
    },
  },
  {
    files: ['src/**/*.ts', 'src/**/*.tsx'],
    ignores: ['src/foundation/time/**', 'src/**/*.spec.ts', 'src/**/*.fixture.ts'],
    rules: {
      'no-restricted-syntax': [
        'error',
        {
          selector: "CallExpression[callee.object.name='Date'][callee.property.name='now']",
          message: 'Ask the Clock: only src/foundation/time reads the time.',
        },
        {
          selector: "NewExpression[callee.name='Date'][arguments.length=0]",
          message: 'Ask the Clock: only src/foundation/time reads the time.',
        },
      ],
    },
  },
  {
    files: ['common', 'shared', 'utils', 'util', 'helpers'].map((name) => `**/${name}/**/*.{ts,tsx,mjs}`),
    languageOptions: { parser },
    rules: refuseFile('A helper has a subject, and the subject a folder: no common, shared, utils or helpers.'),
  },
  ...(strangers.length > 0
    ? [
        {
          files: strangers,
          rules: refuseFile('This folder stands in no arrow: add it to architecture.mjs.'),
        },
      ]
    : []),
];
