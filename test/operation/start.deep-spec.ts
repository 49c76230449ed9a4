import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { GrpcClient, type Method, methodsOf } from '../grpc/grpc-clients.js';
import { send, sendUnchecked } from '../support/http.js';
import { type ServiceProcess, startProcess } from '../support/service-process.js';

const ROOT = new URL('../../', import.meta.url);
const RECORDER = new URL('./loaded-modules.mjs', import.meta.url).href;

/** What few need, by the folders that hold it. */
const RARE = {
  swagger: ['node_modules/@nestjs/swagger/', 'node_modules/js-yaml/', 'node_modules/swagger-ui-dist/'],
  grpc: ['node_modules/@connectrpc/', 'node_modules/@bufbuild/', 'src/admin/kit/grpc/standard-services'],
  storage: ['node_modules/@aws-sdk/', 'node_modules/@google-cloud/', 'node_modules/google-auth-library/'],
  converters: ['src/migration/convert/', 'src/cli/'],
  metrics: ['node_modules/prom-client/'],
  mail: ['node_modules/nodemailer/'],
  telemetry: ['node_modules/@opentelemetry/'],
} as const;
type Rare = keyof typeof RARE;

interface Part {
  readonly inputs: readonly string[];
  /** The files of the bundle, and packages outside of it, that are loaded with it. */
  readonly loads: readonly string[];
}

describe('A service that has started', () => {
  let service: ServiceProcess;
  let folder: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'gatehouse-loaded-'));
    const env = { NODE_OPTIONS: `--import ${RECORDER}`, LOADED_MODULES: join(folder, 'modules') };
    service = await startProcess(env);
  });
  afterAll(async () => {
    await service.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const files = (): string[] => {
    const found = sourcesOf(readFileSync(join(folder, 'modules'), 'utf8').trim().split('\n'));
    expect(found.length).toBeGreaterThan(500);
    return found;
  };
  /** The rarely used parts from which at least one file was loaded. */
  const loaded = (): Rare[] => {
    const all = files();
    return (Object.keys(RARE) as Rare[]).filter((rare) =>
      all.some((file) => RARE[rare].some((place) => file.startsWith(place))),
    );
  };

  it('has loaded nothing of Swagger, gRPC, object storage, converters, metrics, OpenTelemetry and SMTP', () => {
    expect(loaded()).toEqual([]);
  });

  it('loads the gRPC server with the first call, and Swagger with the first look at the document', async () => {
    const { Check } = methodsOf('grpc.health.v1.Health') as Record<'Check', Method>;
    const client = new GrpcClient(service.origin);
    expect(await client.call(Check, {})).toMatchObject({ code: 0 });
    client.close();
    expect(loaded()).toEqual(['grpc']);
    expect((await send(service.origin, { path: '/docs-json' })).status).toBe(200);
    expect(loaded()).toEqual(['swagger', 'grpc']);
  });

  it('has loaded no file twice, whose classes would be others', () => {
    expect(files().filter((file, place, all) => all.indexOf(file) < place)).toEqual([]);
  });

  it('has taken from node_modules only what is native, or must be there before all else', () => {
    const outside = readFileSync(join(folder, 'modules'), 'utf8').matchAll(/node_modules\/((?:@[^/\n]+\/)?[^/\n]+)/g);
    const names = new Set([...outside].map(([, name]) => name!.replace(/^@node-rs\/.*/, '@node-rs')));
    expect([...names].sort()).toEqual(['@node-rs', 'reflect-metadata']);
  });
});

describe('The service as it ships', () => {
  it('knows a commit that PostgreSQL refuses from one whose answer is lost', async () => {
    const service = await startProcess();
    const database = new pg.Client({ connectionString: service.databaseUrl });
    await database.connect();
    await database.query(
      "CREATE FUNCTION test_full() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'no space left' USING ERRCODE = '53100'; END $$",
    );
    await database.query(
      'CREATE CONSTRAINT TRIGGER test_full AFTER INSERT ON project DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION test_full()',
    );
    await database.end();
    const reply = await sendUnchecked(service.origin, {
      method: 'POST',
      path: '/management/v1/projects',
      headers: {
        Authorization: `Bearer ${readFileSync(join(service.dataDir, 'admin.pat'), 'utf8').trim()}`,
        'Content-Type': 'application/json',
      },
      body: '{"name":"Full"}',
    });
    await service.close();
    expect([reply.status, reply.json()]).toMatchObject([503, { details: [{ id: 'database.unavailable' }] }]);
  });
});

describe('The modules of the service', () => {
  it('keep no errors of the time when they were loaded, with the functions that called them', () => {
    const program = fileURLToPath(new URL('./errors-of-modules.mjs', import.meta.url));
    const args = ['--disable-warning=ExperimentalWarning', program, fileURLToPath(new URL('lib', ROOT))];
    const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
    expect({ found: stdout.trim(), stderr }).toEqual({ found: '["Error: Made to be found"]', stderr: '' });
  }, 30_000);
});

(process.platform === 'linux' ? describe : describe.skip)('npm start, on a system with glibc,', () => {
  it.each([
    ['has one heap of the C library for all threads', {}, '1'],
    ['leaves it at what the environment says', { MALLOC_ARENA_MAX: '3' }, '3'],
  ])('%s', async (_, env, expected) => {
    const service = await startProcess(env, new URL('scripts/start.mjs', ROOT));
    expect(service.variable('MALLOC_ARENA_MAX')).toBe(expected);
    await service.close();
  });
});

describe('The command line', () => {
  it.each([['--help'], ['export --help'], ['import --help'], ['doctor --help'], ['admin --help']])(
    '%s loads nothing of the service',
    (args) => {
      const folder = mkdtempSync(join(tmpdir(), 'gatehouse-loaded-'));
      const { status } = spawnSync(
        process.execPath,
        ['--import', RECORDER, fileURLToPath(new URL('dist/cli/main.js', ROOT)), ...args.split(' ')],
        { env: { PATH: process.env['PATH'], LOADED_MODULES: join(folder, 'modules') }, timeout: 20_000 },
      );
      const urls = readFileSync(join(folder, 'modules'), 'utf8').trim().split('\n');
      const files = sourcesOf(urls).map((file) => file.replace(/\.js$/, ''));
      rmSync(folder, { recursive: true, force: true });
      expect(status).toBe(0);
      expect(files).toContain('src/cli/run');
      expect(
        files.filter((file) => /^node_modules\/(?:@nestjs|typeorm|pg)\/|^src\/(?!cli|foundation)/.test(file)),
      ).toEqual(['src/process/start/shipped', 'src/process/setup/private-file']);
    },
  );
});

/** The files below the root of which modules were made: of a bundled one, all that are in it, and in what it loads. */
function sourcesOf(urls: readonly string[]): string[] {
  const parts = JSON.parse(readFileSync(new URL('lib/parts.json', ROOT), 'utf8')) as Record<string, Part>;
  const below = urls.filter((url) => url.startsWith(ROOT.href)).map((url) => url.slice(ROOT.href.length));
  const bundled = new Set(below.filter((file) => file.startsWith('lib/')).map((file) => file.slice('lib/'.length)));
  // A set is read to its end, with what is added meanwhile.
  for (const name of bundled) for (const needed of parts[name]?.loads ?? []) bundled.add(needed);
  return [
    // Node asks for a file again if it was required before and is imported now; it runs it once.
    ...new Set(below.filter((file) => !/^(lib|dist)\//.test(file))),
    ...[...bundled].flatMap((name) => parts[name]?.inputs ?? []),
  ].map((file) => file.replace(/^dist\//, 'src/'));
}

describe('An older Node than the needed one', () => {
  // One that says it is old, and lacks what Node has got since: a name that is imported and not there ends a program
  // before its first line.
  const OLD = `data:text/javascript,${encodeURIComponent(`
    import fs from 'node:fs';
    import { registerHooks } from 'node:module';
    Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.19.0' } });
    const names = Object.keys(fs).filter((name) => !name.startsWith('glob'));
    const source = "const fs = process.getBuiltinModule('fs'); export default fs; export const { " + names + ' } = fs;';
    registerHooks({
      resolve: (name, { parentURL = '' }, next) =>
        name === 'node:fs' && parentURL.startsWith('file:') ? { url: 'old:fs', shortCircuit: true } : next(name),
      load: (url, context, next) =>
        url === 'old:fs' ? { format: 'module', source, shortCircuit: true } : next(url, context),
    });`)}`;

  it.each([
    'dist/main.js',
    'dist/cli/main.js',
    'dist/process/start/start.js',
    'dist/process/description/write-openapi.js',
    'dist/process/description/write-permissions.js',
    'dist/process/description/write-proto.js',
    'scripts/start.mjs',
    'scripts/gatehouse.mjs',
    'scripts/build.mjs',
  ])('gets a sentence from %s, and a status other than 0', (program) => {
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      ['--import', OLD, fileURLToPath(new URL(program, ROOT))],
      { encoding: 'utf8', env: { PATH: process.env['PATH'] }, timeout: 20_000 },
    );
    expect(status).toBe(1);
    expect(stderr).toMatch(/^Gatehouse needs Node 24 and was started by Node 20\.19\.0/);
    expect(stdout + stderr).not.toMatch(/^\s+at /m);
  });
});

it('A start ends with the name of METRICS_PORT when that is taken', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const port = String((other.address() as AddressInfo).port);
  await expect(startProcess({ METRICS_PORT: port })).rejects.toThrow(`METRICS_PORT ${port}`);
  other.close();
});
