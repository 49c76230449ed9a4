import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, cpSync, existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CompilerState, Extractor, ExtractorConfig } from '@microsoft/api-extractor';
import { writeClient } from './client.mjs';

/*
 * What the package declares to TypeScript: one file for each entry, with no type that a consumer lacks, and beside it a report of the whole
 * surface, which is part of the repository: a change of it is seen in review.
 */

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
/** Not below node_modules, where api-extractor takes everything for a package of others. */
const plain = join(root, 'api', '.plain');

/**
 * The entries, by the name of their file in src/extension/entry. Those that are declared together have their global names in common; what `testing` needs
 * brings those of browsers.
 */
const GROUPS = [
  ['index', 'admin'],
  ['experimental', 'testing'],
  ['test-idp'],
  // Reported without what is made from openapi.json, and declared file by file: api-extractor would take a minute for them.
  ['client', 'client-node'],
];
/** Where the declarations of an entry are, if not in src/extension/entry under its name. */
const PLACES = { client: 'client/by-hand', 'client-node': 'client/node' };
/** Of what the declarations were made from when they were made, and of themselves. */
const stamp = join(root, 'api', '.declared');

/**
 * Writes `api/{entry}.d.ts` and its report, unless they are those of the sources as they are. Whether the sources compile is not checked:
 * `npm run typecheck` does that.
 * @param {{ report: 'update' | 'compare' }} options whether a report that differs is written anew, or is an error
 * @throws Error when the declarations cannot be made, when something exported carries no tag, or when a report differs
 */
export function declare({ report }) {
  writeClient();
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === digest()) return;
  rmSync(plain, { recursive: true, force: true });
  const tsc = join(root, 'node_modules', 'typescript-native', 'bin', 'tsc');
  const { status, stdout } = spawnSync(process.execPath, [tsc, '-p', join(root, 'tsconfig.api.json'), '--noCheck'], {
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`The declarations cannot be made:\n${stdout}`);
  mkdirSync(join(root, 'api'), { recursive: true });
  for (const group of GROUPS) rollUpTogether(group, report === 'update');
  cpSync(join(plain, 'client'), join(root, 'api', 'client'), { recursive: true });
  // The same for who requires it.
  copyFileSync(join(root, 'api', 'test-idp.d.ts'), join(root, 'api', 'test-idp.d.cts'));
  rmSync(plain, { recursive: true, force: true });
  writeFileSync(stamp, digest());
}

function digest() {
  const files = ['api', 'src', 'scripts/build']
    .flatMap((folder) => globSync(`${folder}/**/*.{ts,tsx,md,mjs}`, { cwd: root }))
    .concat('package-lock.json', 'tsconfig.json', 'tsconfig.src.json', 'tsconfig.api.json')
    .sort();
  const hash = createHash('sha256');
  for (const file of files) hash.update(`${file}\0`).update(readFileSync(join(root, file)));
  return hash.digest('hex');
}

/** One program for several entries: it is what takes the time. */
function rollUpTogether(entries, localBuild) {
  const configs = entries.map(configOf);
  const compilerState = CompilerState.create(configs[0], {
    additionalEntryPoints: configs.map(({ mainEntryPointFilePath }) => mainEntryPointFilePath),
  });
  for (const [index, entry] of entries.entries()) rollUp(entry, { config: configs[index], compilerState, localBuild });
}

function rollUp(entry, { config, compilerState, localBuild }) {
  const found = [];
  const { succeeded, apiReportChanged } = Extractor.invoke(config, {
    compilerState,
    localBuild,
    messageCallback: (message) => {
      message.handled = true;
      // What has become of the report is told by the result.
      if (message.category === 'console') return;
      if (message.logLevel === 'error' || message.logLevel === 'warning')
        found.push(message.formatMessageWithLocation(root));
    },
  });
  if (apiReportChanged && !localBuild)
    throw new Error(
      `The surface of the package differs from api/${entry}.api.md. If that is meant, run "npm run api" and commit the difference.`,
    );
  if (!succeeded || found.length > 0) throw new Error(`The surface of the package has faults:\n${found.join('\n')}`);
}

function configOf(entry) {
  const declared = join(plain, `${PLACES[entry] ?? `extension/entry/${entry}`}.d.ts`);
  const isWhole = !(entry in PLACES);
  return ExtractorConfig.prepare({
    configObjectFullPath: undefined,
    packageJsonFullPath: join(root, 'package.json'),
    configObject: {
      projectFolder: root,
      mainEntryPointFilePath: declared,
      compiler: {
        overrideTsconfig: {
          extends: join(root, 'tsconfig.src.json'),
          include: [],
          files: [declared],
        },
      },
      newlineKind: 'lf',
      dtsRollup: { enabled: isWhole, untrimmedFilePath: join(root, 'api', `${entry}.d.ts`) },
      apiReport: {
        enabled: true,
        reportFileName: entry,
        reportFolder: join(root, 'api'),
        reportTempFolder: join(plain, 'report'),
      },
      docModel: { enabled: false },
      tsdocMetadata: { enabled: false },
      messages: {
        compilerMessageReporting: { default: { logLevel: 'error' } },
        extractorMessageReporting: {
          default: { logLevel: 'error' },
          // Links and tags of a documentation generator, which our comments are not written for.
          'ae-unresolved-link': { logLevel: 'none' },
          'ae-undocumented': { logLevel: 'none' }, // a name may say everything
          ...(isWhole ? {} : { 'ae-forgotten-export': { logLevel: 'none' } }),
        },
        tsdocMessageReporting: { default: { logLevel: 'none' } },
      },
    },
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    declare({ report: process.argv.includes('--update') ? 'update' : 'compare' });
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}
