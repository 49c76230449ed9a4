/*
 * mod_auth_mellon in front of a page, as a service provider of a Gatehouse that runs. Over plain http, browsers would drop its
 * cookie; the one here is no browser.
 */
import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { addPerson, Browser, ORIGIN, register } from './service.mjs';
import { assert, file, folder, it, keyFiles, load } from './trial.mjs';

const { writeServiceProvider } = await load('metadata/write-metadata');

const PORT = 18_080;
const SP = `http://127.0.0.1:${PORT}`;
const MODULES = process.env.APACHE_MODULES ?? '/usr/lib/apache2/modules';
const NEEDED = ['mpm_event', 'authn_core', 'authz_core', 'authz_user', 'dir', 'auth_mellon'];

const theirs = await keyFiles('mellon');
const spMetadata = writeServiceProvider({
  entityId: `${SP}/mellon/metadata`,
  certificates: [theirs.certificate],
  logoutEndpoints: [{ binding: 'redirect', url: `${SP}/mellon/logout` }],
  nameIdFormats: [],
  assertionConsumerUrl: `${SP}/mellon/postResponse`,
  authnRequestsSigned: true,
});
mkdirSync(join(folder, 'pages'));
// It serves no pages as root, and as somebody else it has to read them.
const isRoot = process.getuid?.() === 0;
if (isRoot) chmodSync(folder, 0o755);
file('pages/index.html', '<!doctype html><title>Kept</title><p>kept page');
const idpMetadata = await fetch(`${ORIGIN}/saml/v2/metadata`).then((reply) => reply.text());
const configuration = file(
  'apache.conf',
  [
    `ServerRoot "${folder}"`,
    `ServerName 127.0.0.1`,
    `Listen 127.0.0.1:${PORT}`,
    `PidFile "${join(folder, 'apache.pid')}"`,
    `ErrorLog "${join(folder, 'error.log')}"`,
    'LogLevel auth_mellon:debug',
    ...(isRoot ? ['User nobody', 'Group nogroup'] : []),
    ...NEEDED.map((name) => `LoadModule ${name}_module "${MODULES}/mod_${name}.so"`),
    `DocumentRoot "${join(folder, 'pages')}"`,
    'DirectoryIndex index.html',
    '<Location />',
    '  Require valid-user',
    '  AuthType "Mellon"',
    '  MellonEnable "auth"',
    '  MellonEndpointPath "/mellon"',
    `  MellonSPMetadataFile "${file('sp.xml', spMetadata)}"`,
    `  MellonSPPrivateKeyFile "${theirs.files.key}"`,
    `  MellonSPCertFile "${theirs.files.certificate}"`,
    `  MellonIdPMetadataFile "${file('idp.xml', idpMetadata)}"`,
    '  MellonSignatureMethod rsa-sha256',
    '</Location>',
    '<Location /mellon>',
    '  Require all granted',
    '</Location>',
  ].join('\n'),
);

const apache = spawn(process.env.APACHE ?? 'apache2', ['-X', '-f', configuration], { stdio: 'inherit' });
process.on('exit', () => apache.kill());
await sleep(2_000);

const application = await register(spMetadata);
const anna = await addPerson();
const browser = new Browser((url) => url.startsWith(ORIGIN) || url.startsWith(SP));

/** What a browser with scripts does by itself. */
async function withScripts(page) {
  const form = page.forms.find(({ fields }) => 'SAMLResponse' in fields || 'SAMLRequest' in fields);
  return form ? withScripts(await browser.go(form.action, form.fields)) : page;
}

try {
  await it('shows its page to whom Gatehouse has signed in', async () => {
    const page = await withScripts(await browser.go(`${SP}/`));
    assert.ok(page.url.startsWith(ORIGIN), page.url);
    const shown = await withScripts(await browser.signIn(page, anna));
    assert.equal(shown.url, `${SP}/`);
    assert.match(shown.text, /kept page/);
  });

  await it('signs out here and there', async () => {
    const left = await withScripts(await browser.go(`${SP}/mellon/logout?ReturnTo=${encodeURIComponent(`${SP}/`)}`));
    assert.ok(left.url.startsWith(ORIGIN), left.url);
    assert.ok(left.forms.some(({ fields }) => 'loginName' in fields || 'password' in fields || 'csrf' in fields));
  });
} catch (error) {
  console.error(readFileSync(join(folder, 'error.log'), 'utf8'));
  throw error;
} finally {
  await application.remove();
  apache.kill();
}
