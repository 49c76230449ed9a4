import type { Config } from 'jest';
import { writeClient } from './scripts/build/client.mjs';

// What the sources import of it is there without a build, too.
writeClient();

// The workers, which begin later, have one heap of the C library for all their threads, as the service has
// (docs/adr/0041): each takes a tenth less memory.
process.env['MALLOC_ARENA_MAX'] ??= '1';
// The memory of a costly hash is given back, instead of being kept between what is allocated meanwhile.
process.env['MALLOC_MMAP_THRESHOLD_'] ??= '1048576';

/** Compiles as tsc does with tsconfig.json, types unchecked. */
const swc = (tsx: boolean): [string, Record<string, unknown>] => [
  '@swc/jest',
  {
    swcrc: false, // which leaves tests out
    jsc: {
      experimental: { keepImportAttributes: true },
      target: 'es2024',
      parser: { syntax: 'typescript', tsx, decorators: true },
      transform: {
        legacyDecorator: true,
        decoratorMetadata: true,
        useDefineForClassFields: true,
        react: { runtime: 'automatic', importSource: 'preact' },
      },
    },
    module: { type: 'es6' },
  },
];

/** The path of this folder, for a regular expression. */
const folder = import.meta.dirname.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Re-exports what Node itself has loaded. */
const native = '<rootDir>/test/support/runner/native-modules.mjs';

const shared = {
  extensionsToTreatAsEsm: ['.ts', '.tsx'],
  moduleNameMapper: {
    // Sources name the compiled file, as Node wants it.
    '^(\\.{1,2}/.*)\\.js$': ['$1.js', '$1.ts', '$1.tsx'],
    // What packages of the workspace import, and nothing else of the sources.
    '^gatehouse$': '<rootDir>/src/extension/entry/index.ts',
    '^gatehouse/(admin|experimental)$': '<rootDir>/src/extension/entry/$1.ts',
    '^gatehouse/client$': '<rootDir>/src/client/index.ts',
    '^gatehouse/client/node$': '<rootDir>/src/client/node.ts',
    '^gatehouse/testing$': '<rootDir>/test/support/gatehouse-testing.ts',
  },
  transform: { '\\.ts$': swc(false), '\\.tsx$': swc(true) },
} satisfies Config;

/** Over the wire: the built service, loaded once per worker, and one PostgreSQL server for the whole run. */
const wire = {
  ...shared,
  testEnvironment: '<rootDir>/test/support/runner/native-environment.mjs',
  transform: {
    [`^${folder}/src/.*\\.tsx?$`]: native,
    // The gRPC client, bcrypt and oidc-provider compare settings with the `Object`, `Date` and `String` of their
    // own realm.
    '/node_modules/(?!oidc-provider/|@node-rs/bcrypt/|@grpc/|protobufjs/|@protobufjs/|long/).*\\.[cm]?js$': native,
    [`^${folder}/test/support/runner/.*\\.mjs$`]: native,
    ...shared.transform,
  },
  transformIgnorePatterns: [],
  globalSetup: '<rootDir>/test/support/global-setup.ts',
  globalTeardown: '<rootDir>/test/support/global-teardown.ts',
  testPathIgnorePatterns: ['/node_modules/', '<rootDir>/test/architecture/.*\\.spec\\.ts$'],
} satisfies Config;

export default {
  // One more than the smallest machine has cores: tests wait for PostgreSQL, hashes and servers that are slow on
  // purpose. A fourth saves 5 % of the time and takes another gigabyte.
  maxWorkers: 3,
  // Tests of one file that mostly wait run beside one another, and each of them may have four processes of the service.
  maxConcurrency: 3,
  testSequencer: '<rootDir>/test/support/runner/longest-first.mjs',
  reporters: ['default', '<rootDir>/test/support/runner/progress-reporter.mjs'],
  // npm test runs Node without V8's compilation cache, which would keep the modules of every test file, and all that
  // their variables hold. What is kept besides is not given back before the worker ends: the limit is for its heap, and
  // by then it takes twice as much. A larger one saves no time.
  workerIdleMemoryLimit: '450MB',
  // Against what hangs, not against what is slow: these machines are shared.
  testTimeout: 60_000,
  projects: [
    // Rules alone: no build, no database.
    {
      ...shared,
      displayName: 'rules',
      testEnvironment: '<rootDir>/test/support/runner/collecting-environment.mjs',
      testMatch: [
        '<rootDir>/src/**/*.spec.ts',
        '<rootDir>/src/**/*.spec.tsx',
        '<rootDir>/packages/*/src/**/*.spec.ts',
        '<rootDir>/test/architecture/**/*.spec.ts',
      ],
    },
    {
      ...wire,
      displayName: 'wire',
      testMatch: [
        '<rootDir>/test/**/*.e2e-spec.ts',
        '<rootDir>/test/**/*.spec.ts',
        '<rootDir>/packages/*/test/**/*.e2e-spec.ts',
      ],
    },
    // What needs processes, kills, browsers, packages, object stores, clients in other languages, or every case.
    { ...wire, displayName: 'deep', testMatch: ['<rootDir>/{test,packages/*/test}/**/*.deep-spec.ts'] },
  ],
} satisfies Config;
