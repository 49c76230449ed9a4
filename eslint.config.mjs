import { readdirSync } from 'node:fs';
import js from '@eslint/js';
import { createNodeResolver, importX } from 'eslint-plugin-import-x';
import tseslint from 'typescript-eslint';
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

export default tseslint.config(
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
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  js.configs.recommended,
  {
    // What browsers run.
    files: ['src/foundation/page/style/*.js', 'src/*/site/*.js'],
    languageOptions: {
      globals: Object.fromEntries(
        [
          'document',
          'HTMLFormElement',
          'location',
          'history',
          'sessionStorage',
          'fetch',
          'URLSearchParams',
          'TextDecoder',
          'atob',
          'URL',
          'window',
          'setInterval',
          'MutationObserver',
          'navigator',
        ].map((name) => [name, 'readonly']),
      ),
    },
  },
  {
    files: ['**/*.mjs'],
    languageOptions: {
      globals: Object.fromEntries(
        [
          'process',
          'console',
          'URL',
          'URLSearchParams',
          'Buffer',
          'Headers',
          'Response',
          'fetch',
          'performance',
          'setTimeout',
          'clearTimeout',
          'setImmediate',
          'setInterval',
          'clearInterval',
          'AbortController',
          'AbortSignal',
        ].map((name) => [name, 'readonly']),
      ),
    },
  },
  {
    files: ['**/*.ts', '**/*.tsx'],
    extends: [tseslint.configs.recommendedTypeChecked],
    languageOptions: { parserOptions: { project: './tsconfig.test.json', tsconfigRootDir: root } },
    rules: {
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      // The formatter breaks lines of code, but no comments.
      'max-len': ['error', { code: 10_000, comments: 120, ignoreUrls: true, ignorePattern: 'eslint-disable' }],
      '@typescript-eslint/ban-ts-comment': ['error', { 'ts-expect-error': 'allow-with-description' }],
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', varsIgnorePattern: '^_', ignoreRestSiblings: true },
      ],
      // Otherwise a promise that is returned from a `using` scope or a try block goes on after its end.
      '@typescript-eslint/return-await': ['error', 'error-handling-correctness-only'],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      // A method of an interface stays asynchronous where one implementation has nothing to wait for.
      '@typescript-eslint/require-await': 'off',
      // Nest's module classes hold nothing but their decorator.
      '@typescript-eslint/no-extraneous-class': 'off',
    },
  },
  {
    files: ['src/**/*.ts', 'src/**/*.tsx'],
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
      'import-x/no-restricted-paths': ['error', { basePath: root, zones: [...arrows, ...repositories] }],
      // Circles are found by test/architecture/cycles.spec.ts, also those of types, in a second instead of half a minute.
      'max-lines': ['error', 400],
      'no-console': 'error',
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
    files: ['test/**/*.ts', 'src/**/*.spec.ts', 'src/**/*.fixture.ts', 'bench/**/*.ts'],
    rules: {
      // Answers of a wire are read as they come; the expectation is the check.
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      '@typescript-eslint/unbound-method': 'off',
    },
  },
  {
    files: ['**/common/**', '**/shared/**', '**/utils/**', '**/util/**', '**/helpers/**'],
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
);
