import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';

const root = new URL('../../', import.meta.url);
const textOf = (file: string): string => readFileSync(new URL(file, root), 'utf8');
const headingsOf = (file: string): string[] =>
  [...textOf(file).matchAll(/^#+ (.*)$/gm)].map(([, heading]) => heading!.toLowerCase());

/** Pages that explain; each other page of the folder is a quick start. */
const EXPLAINING = ['README.md', 'claims-and-scopes.md'];
const quickStarts = readdirSync(new URL('docs/quick-starts', root)).filter(
  (name) => name.endsWith('.md') && !EXPLAINING.includes(name),
);

describe('The quick starts', () => {
  it.each([
    ['the browser', ['browser', 'react', 'vue', 'angular']],
    ['a server', ['nextjs', 'express', 'spring-boot', 'aspnet-core', 'django', 'laravel', 'go']],
    ['a phone, a command line, a proxy', ['mobile', 'command-line', 'oauth2-proxy']],
    ['an API', ['api-express', 'api-go', 'api-python', 'api-spring']],
  ])('show how to sign in from, or protect, %s', (_, names) => {
    expect(quickStarts).toEqual(expect.arrayContaining(names.map((name) => `${name}.md`)));
  });

  it.each(quickStarts)('%s is listed, registers its application with one command, and has its code', (name) => {
    expect(textOf('docs/quick-starts/README.md')).toContain(`](${name})`);
    const page = textOf(`docs/quick-starts/${name}`);
    expect(page.match(/^npx gatehouse register /gm)).toHaveLength(1);
    expect(page.match(/^```\w+ \S+$/gm)?.length ?? 0).toBeGreaterThan(1);
  });

  it.each(quickStarts)('%s is run by verify, or says that it is not', (name) => {
    const isRun = new RegExp(`^ {2}'?${name.replace('.md', '')}'?: \\{`, 'm').test(
      textOf('docs/quick-starts/verify.mjs'),
    );
    expect(isRun || /not run by `docs\/quick-starts\/verify`/.test(textOf(`docs/quick-starts/${name}`))).toBe(true);
  });
});

describe('The documentation', () => {
  it.each([
    ['docs/operating.md', ['settings', 'proxies', 'replicas', 'metrics', 'signing keys', 'limits']],
    [
      'docs/operations.md',
      ['examine', 'backup and restore', 'upgrade', 'the master key', 'size', 'pgbouncer', 'files to start from'],
    ],
    ['docs/administration.md', ['in the browser', 'register an application', 'grpc, grpc-web and connect']],
    ['docs/overview.md', ['the parts', 'what is stored', 'protocols']],
    ['docs/quick-starts/claims-and-scopes.md', ['claims and scopes', 'roles']],
    ['SECURITY.md', ['reporting a vulnerability', 'supported versions']],
    ['CONTRIBUTING.md', ['releases']],
  ])('%s has a section on each of %j', (file, sections) => {
    expect(headingsOf(file)).toEqual(expect.arrayContaining(sections));
  });

  it('draws the parts and the data, says what is not supported, and how far conformance was tried', () => {
    const overview = textOf('docs/overview.md');
    expect(overview).toContain('flowchart');
    expect(overview).toContain('erDiagram');
    expect(overview).toMatch(/^\| By a package \|.*SCIM.*SAML 2\.0 in both roles.*Google.*LDAP/m);
    expect(overview).toMatch(/^\| Conformance \|/m);
  });

  it('shows pictures that there are, and leads to every page of docs', () => {
    const readme = textOf('README.md');
    const pictures = [...readme.matchAll(/^\[[^\]]+\]: (\S+)$/gm)].map(([, file]) => file!);
    expect(pictures.length).toBeGreaterThan(1);
    for (const file of pictures) expect([file, existsSync(new URL(file, root))]).toEqual([file, true]);
    const pages = readdirSync(new URL('docs', root)).filter((name) => name.endsWith('.md'));
    expect(pages.filter((name) => !readme.includes(`](docs/${name}`))).toEqual([]);
  });

  it('leads from the page of operations to one that can be read', () => {
    expect(textOf('docs/administration.md')).toContain('/docs/reference');
  });
});

describe('npm ci', () => {
  it('says nothing of packages that like another Node than that of the machine, which only runs npm', () => {
    expect(textOf('.npmrc')).toMatch(/^loglevel=error$/m);
  });
});
