import { type SpawnSyncReturns, spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { expect } from '@jest/globals';
import { toUrl } from '../../src/extension/testing/test-database.js';
import { testServer } from '../support/test-server.js';
import { writePages } from './pages-as-sources.js';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const EXAMPLES = ['hr', 'terms', 'github', 'http-mail', 'http-claims', 'badge'] as const;
const WRONG = `import { CLAIMS, provide } from 'gatehouse';
class Wrong { readonly scopes = ['hr']; }
export const wrong = provide(CLAIMS, Wrong);
`;

/** What these tests read of a `package.json`. */
export interface Manifest {
  readonly version: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
}

/**
 * The folder of a team. It holds the package as it would be published, and no package that a manifest does not name.
 */
export class Team {
  private constructor(
    readonly folder: string,
    /** The files that are in the package. */
    readonly packed: readonly string[],
    readonly manifest: Manifest,
  ) {}

  /** Packs Gatehouse, and installs it for a team. */
  static withPackage(): Team {
    const folder = mkdtempSync(join(tmpdir(), 'gatehouse-team-'));
    const result = run('npm', ['pack', '--json', '--pack-destination', folder], ROOT);
    const [{ filename, files }] = JSON.parse(result.stdout.slice(result.stdout.indexOf('['))) as [
      { filename: string; files: Array<{ path: string }> },
    ];
    run('tar', ['-xzf', filename], folder);
    const modules = join(folder, 'node_modules');
    mkdirSync(modules);
    run('mv', ['package', join(modules, 'gatehouse')], folder);
    const manifest = JSON.parse(readFileSync(join(modules, 'gatehouse', 'package.json'), 'utf8')) as Manifest;
    const packed = files.map(({ path }) => path);
    const team = new Team(folder, packed, manifest);
    for (const name of [...Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies }), '@types/node'])
      team.link(name);
    // What docs/extending has a team install for messages without our decorators.
    for (const name of ['class-validator', '@nestjs/swagger']) team.link(name);
    // The compiler that docs/extending has a team install; deploy/trials/extension.mjs compiles with the one before it.
    team.link('typescript', 'typescript-native');
    return team;
  }

  /** A place in the folder. */
  path(...names: string[]): string {
    return join(this.folder, ...names);
  }

  /** The command of the package. */
  get gatehouse(): URL {
    return pathToFileURL(this.path('node_modules', 'gatehouse', 'scripts', 'gatehouse.mjs'));
  }

  /** @param from the name that the package has here */
  link(name: string, from = name): void {
    const place = this.path('node_modules', name);
    mkdirSync(dirname(place), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules', from), place);
  }

  /** Takes a package away. */
  unlink(name: string): void {
    rmSync(this.path('node_modules', name), { force: true });
  }

  /**
   * Compiles the examples, the code of the pages about extensions, and beside them a class that does not fit its seam:
   * as one program, because what takes the time is to check the declarations of all packages, which no example leaves
   * out.
   * @returns the errors
   */
  compileExamples(): string[] {
    const [settings, ...others] = EXAMPLES.map((example) => {
      cpSync(join(ROOT, 'examples', example), this.path(example), { recursive: true });
      return JSON.parse(readFileSync(this.path(example, 'tsconfig.json'), 'utf8')) as { compilerOptions: object };
    });
    for (const other of others) expect(other).toEqual(settings);
    expect(settings).toMatchObject({ compilerOptions: { skipLibCheck: false, rootDir: 'src', outDir: 'dist' } });
    const { compilerOptions } = settings!;
    const sources = [...EXAMPLES.map((example) => `${example}/src`), ...writePages(ROOT, this.folder)];
    const program = {
      // What a page shows stands beside the files of the examples: it imports them by their names.
      compilerOptions: { ...compilerOptions, rootDir: '.', rootDirs: sources, outDir: 'compiled' },
      include: sources,
    };
    writeFileSync(this.path('tsconfig.json'), JSON.stringify(program));
    writeFileSync(this.path('hr', 'src', 'wrong.ts'), WRONG);
    const tsc = this.path('node_modules', 'typescript', 'bin', 'tsc');
    const { stdout } = spawnSync(process.execPath, [tsc, '-p', '.'], { cwd: this.folder, encoding: 'utf8' });
    for (const example of EXAMPLES) renameSync(this.path('compiled', example, 'src'), this.path(example, 'dist'));
    return stdout.split('\n').filter((line) => /: error TS\d+/.test(line));
  }

  /** Runs the tests of the examples, as TAP. */
  async testExamples(): Promise<{ readonly status: number | null; readonly output: string }> {
    const files = EXAMPLES.map((example) => join(example, 'dist', `${example}.test.js`));
    // In one process, which makes one template of a database.
    const args = ['--test', '--test-isolation=none', '--test-reporter=tap', ...files];
    const child = spawn(process.execPath, args, {
      cwd: this.folder,
      env: { ...process.env, DATABASE_URL: toUrl(testServer().connection) },
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
    const status = await new Promise<number | null>((resolve) => child.once('close', resolve));
    return { status, output };
  }

  /** The package among all packages of this repository, as they stand in the image. */
  layOutImage(): string {
    const app = this.path('app');
    for (const [from, to] of [
      ['lib', 'dist'], // as the Dockerfile names it
      ['package.json', 'package.json'],
    ] as const)
      cpSync(this.path('node_modules', 'gatehouse', from), join(app, to), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules'), join(app, 'node_modules'));
    return app;
  }

  /** Runs a line of code in the folder. */
  evaluate(code: string): SpawnSyncReturns<string> {
    return spawnSync(process.execPath, ['--input-type=module', '-e', code], { cwd: this.folder, encoding: 'utf8' });
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

function run(command: string, args: readonly string[], cwd: string): SpawnSyncReturns<string> {
  const result = spawnSync(command, args, { cwd, encoding: 'utf8' });
  if (result.status !== 0) throw new Error(`${command} ${args.join(' ')} failed:\n${result.stdout}${result.stderr}`);
  return result;
}
