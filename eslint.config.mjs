import { globSync, readdirSync } from 'node:fs';
import { dirname, relative, sep } from 'node:path';
import parser from '@typescript-eslint/parser';
import { createNodeResolver, importX } from 'eslint-plugin-import-x';
import { PARTS, ROOMS } from './architecture.mjs';
import { PACKAGES, packageRules } from './scripts/lint/package-imports.mjs';

const root = import.meta.dirname;

const rooms = Object.keys(ROOMS);
const hasFoundation = (room) => rooms.indexOf(room) > rooms.indexOf('foundation');

const arrows = Object.entries(ROOMS).map(([room, below]) => ({
  target: `./src/${room}`,
  from: './src',
  except: [...new Set([room, ...(hasFoundation(room) ? ['foundation'] : []), ...below])].map((other) => `./${other}`),
  message: ` There is no arrow from ${room} to it (see architecture.mjs).`,
}));

const arrowsInside = Object.entries(PARTS).flatMap(([room, parts]) => {
  const files = readdirSync(`${root}/src/${room}`, { withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.module.ts'))
    .map(({ name }) => name);
  return Object.entries(parts).map(([part, below]) => ({
    target: part === '.' ? `./src/${room}/!(*.module).{ts,tsx}` : `./src/${room}/${part}/**/!(*.module).{ts,tsx}`,
    from: `./src/${room}`,
    except: [part, ...below].flatMap((other) => (other === '.' ? files : [other])).map((other) => `./${other}`),
    message: ` There is no arrow from ${room}/${part} to it (see architecture.mjs).`,
  }));
});

const repositories = globSync('src/**/*.repository.ts', { cwd: root }).flatMap((file) =>
  outside(dirname(file)).map((target) => ({
    target,
    from: `./${file}`,
    message: " A neighbour's repository is private: a table has one folder that writes it. Ask its service.",
  })),
);

/** Patterns for all files of `src` that are not in that folder. The files of a room itself are a part of it as each of its folders is. */
function outside(folder) {
  const [source, ...names] = folder.split('/');
  const beside = names.flatMap((name, index) => {
    const above = ['.', source, ...names.slice(0, index)].join('/');
    return [`${above}/*.{ts,tsx}`, `${above}/!(${name})/**/*`];
  });
  return names.length === 1 ? [...beside, `./${folder}/*/**/*`] : beside;
}

const strangers = readdirSync(`${root}/src`, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && !(entry.name in ROOMS))
  .map(({ name }) => `src/${name}/**`);

/** The packages of the workspace, by their paths from here. */
const packages = PACKAGES.map((folder) => ({ folder, path: relative(root, folder).replaceAll(sep, '/') }));

/** Refuses the environment outside of where it is read. */
const refuseEnvironment = (message) => ({
  'no-restricted-properties': ['error', { object: 'process', property: 'env', message }],
  'no-restricted-imports': [
    'error',
    { paths: ['process', 'node:process'].map((name) => ({ name, importNames: ['env'], message })) },
  ],
});

/** Refuses the time of the machine. */
const refuseTime = (message) => ({
  'no-restricted-syntax': [
    'error',
    { selector: "CallExpression[callee.object.name='Date'][callee.property.name='now']", message },
    { selector: "NewExpression[callee.name='Date'][arguments.length=0]", message },
  ],
});

/** Refuses a whole file, whatever is in it. */
const refuseFile = (message) => ({ 'no-restricted-syntax': ['error', { selector: 'Program', message }] });

/** What this house forbids. Mistakes in any TypeScript are found by Oxlint: .oxlintrc.json. */
export default [
  {
    ignores: [
      'dist/',
      'packages/*/dist/',
      'test/extension/kept/', // compiled
      'src/client/generated/',
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
  },
  {
    // A test may look from above.
    files: ['src/**/*.ts', 'src/**/*.tsx'],
    ignores: ['src/**/*.spec.ts', 'src/**/*.spec.tsx', 'src/**/*.fixture.ts'],
    rules: {
      // Circles are found by test/architecture/cycles.spec.ts, also those of types, in a second instead of half a minute.
      'import-x/no-restricted-paths': [
        'error',
        { basePath: root, zones: [...arrows, ...arrowsInside, ...repositories] },
      ],
    },
  },
  {
    files: ['src/**/*.ts', 'src/**/*.tsx'],
    ignores: ['src/foundation/config/**', 'src/**/*.spec.ts', 'src/**/*.fixture.ts'],
    rules: refuseEnvironment('Only src/foundation/config reads the environment; take a config class.'),
  },
  {
    files: ['src/**/*.ts', 'src/**/*.tsx'],
    // The client has no clock of the product.
    ignores: ['src/foundation/time/**', 'src/client/**', 'src/**/*.spec.ts', 'src/**/*.fixture.ts'],
    rules: refuseTime('Ask the Clock: only src/foundation/time reads the time.'),
  },
  ...packages.map(({ folder, path }) => ({
    files: [`${path}/{src,test}/**/*.{ts,tsx}`],
    languageOptions: { parser },
    linterOptions: { reportUnusedDisableDirectives: 'off' },
    plugins: { packages: packageRules },
    rules: { 'packages/imports': ['error', { folder }] },
  })),
  {
    files: ['packages/*/src/**/*.{ts,tsx}'],
    ignores: ['**/*.spec.{ts,tsx}', '**/*.fixture.ts'],
    rules: {
      ...refuseEnvironment('The settings of the extension read the environment: settings(…) of gatehouse.'),
      ...refuseTime('Ask the Clock, which can be injected everywhere.'),
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
          rules: refuseFile('This room stands in no arrow: add it to architecture.mjs.'),
        },
      ]
    : []),
];
