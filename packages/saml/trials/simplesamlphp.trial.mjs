/*
 * SimpleSAMLphp in both roles at a Gatehouse that runs, over HTTP: its page that tests a source of sign-ins is the application, and
 * its module of examples has the people of a company. What Gatehouse says of itself goes through its converter, as the README tells.
 */
import { spawn } from 'node:child_process';
import { appendFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { addPerson, api, Browser, ORIGIN, register } from './service.mjs';
import { assert, file, folder, it, keyFiles } from './trial.mjs';

const PORT = 18_081;
const PHP = `http://127.0.0.1:${PORT}`;
const INSTALLED = process.env.SIMPLESAMLPHP ?? '/usr/share/simplesamlphp';
const ADMINISTRATOR = 'the administrator of a trial';
const PERSISTENT = 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent';
const SOURCE = `${PHP}/module.php/core/authenticate.php?as=default-sp`;

const { files } = await keyFiles('simplesamlphp');
for (const name of ['log', 'data', 'temp', 'metadata', 'sessions']) mkdirSync(join(folder, name));
file(
  'config.php',
  `<?php
  $config = [
    'baseurlpath' => '${PHP}/',
    'certdir' => '${folder}/', 'loggingdir' => '${folder}/log/', 'datadir' => '${folder}/data/',
    'tempdir' => '${folder}/temp', 'metadatadir' => '${folder}/metadata/',
    'logging.handler' => 'file',
    'technicalcontact_email' => 'admin@idp.test',
    'secretsalt' => 'the salt of a trial',
    'auth.adminpassword' => '${ADMINISTRATOR}',
    'enable.saml20-idp' => true,
    'module.enable' => ['core' => true, 'saml' => true, 'exampleauth' => true],
    'session.cookie.secure' => false, 'session.cookie.samesite' => null,
    'session.phpsession.savepath' => '${folder}/sessions',
    'language.cookie.secure' => false, 'language.cookie.samesite' => null,
  ];`,
);
file(
  'authsources.php',
  `<?php
  $config = [
    'admin' => ['core:AdminPassword'],
    'default-sp' => [
      'saml:SP',
      'entityID' => '${PHP}/',
      'idp' => '${ORIGIN}/saml/v2/metadata',
      'privatekey' => '${files.key}', 'certificate' => '${files.certificate}',
      'NameIDPolicy' => ['Format' => '${PERSISTENT}', 'AllowCreate' => true],
      'sign.authnrequest' => true, 'sign.logout' => true,
    ],
    'people' => [
      'exampleauth:UserPass',
      'berta:bertas-password' => [
        'uid' => ['berta'], 'mail' => ['berta@idp.test'], 'givenName' => ['Berta'], 'sn' => ['Brecht & <co>'],
      ],
    ],
  ];`,
);
file(
  'metadata/saml20-idp-hosted.php',
  `<?php
  $metadata['${PHP}/saml2/idp/metadata.php'] = [
    'host' => '__DEFAULT__',
    'privatekey' => '${files.key}', 'certificate' => '${files.certificate}',
    'auth' => 'people', 'validate.authnrequest' => true,
    'authproc' => [10 => ['class' => 'saml:PersistentNameID', 'attribute' => 'uid']],
  ];`,
);
for (const name of ['saml20-idp-remote', 'saml20-sp-remote']) file(`metadata/${name}.php`, '<?php\n');

const php = spawn(
  process.env.PHP ?? 'php',
  ['-d', 'display_errors=0', '-S', `127.0.0.1:${PORT}`, '-t', join(INSTALLED, 'www')],
  { stdio: 'ignore', env: { ...process.env, SIMPLESAMLPHP_CONFIG_DIR: folder } },
);
process.on('exit', () => php.kill());
await sleep(1_000);

const visitsBoth = (url) => url.startsWith(ORIGIN) || url.startsWith(PHP);
const read = (url) => fetch(url).then((reply) => reply.text());
const formWith = ({ forms }, name) => forms.find(({ fields }) => name in fields);

/** What an administrator of SimpleSAMLphp does with metadata: into the converter, and from there into a file. */
async function convert(metadata, name) {
  const administrator = new Browser(visitsBoth);
  const address = `${PHP}/admin/metadata-converter.php`;
  const login = formWith(await administrator.go(address), 'password');
  await administrator.go(login.action, { ...login.fields, username: 'admin', password: ADMINISTRATOR });
  const { root } = await administrator.go(address, { xmldata: metadata });
  const converted = root.querySelectorAll('pre').map(({ text }) => text);
  assert.ok(converted.length > 0, root.text);
  appendFileSync(join(folder, 'metadata', `${name}.php`), converted.join('\n'));
}

/** What a browser with scripts does by itself. */
async function withScripts(browser, page) {
  const form = formWith(page, 'SAMLResponse') ?? formWith(page, 'SAMLRequest');
  return form ? withScripts(browser, await browser.go(form.action, form.fields)) : page;
}

let application;
try {
  application = await register(await read(`${PHP}/module.php/saml/sp/metadata.php/default-sp`));
  await convert(await read(`${ORIGIN}/saml/v2/metadata`), 'saml20-idp-remote');
  const anna = await addPerson();
  const browser = new Browser(visitsBoth);

  await it('as a service provider it shows whom Gatehouse has signed in', async () => {
    const page = await withScripts(browser, await browser.go(SOURCE));
    assert.ok(page.url.startsWith(ORIGIN), page.url);
    const shown = await withScripts(browser, await browser.signIn(page, anna));
    assert.equal(shown.url, SOURCE);
    const values = shown.root.querySelectorAll('td.attrvalue').map(({ text }) => text);
    for (const value of [anna.email, 'Arendt & <co>', PERSISTENT]) assert.ok(values.includes(value), values.join());
  });

  await it('as a service provider it signs out here and there', async () => {
    const left = await withScripts(browser, await browser.go(`${SOURCE}&logout`));
    assert.ok(left.url.startsWith(PHP), left.url);
    const again = await withScripts(browser, await browser.go(SOURCE));
    assert.ok(again.url.startsWith(ORIGIN) && !formWith(again, 'SAMLResponse'), again.url);
  });
} finally {
  await application?.remove();
}

const provider = await api('POST', '/admin/v1/idps/extension', {
  name: `Company ${Date.now()}`,
  kind: 'ext:saml',
  settings: { metadataUrl: `${PHP}/saml2/idp/metadata.php`, isEmailVerified: true, signRequests: true },
  providerOptions: { isLinkingAllowed: true, isCreationAllowed: true, isAutoCreation: true },
});
try {
  assert.equal(provider.state, 'IDP_STATE_ACTIVE', JSON.stringify(provider.parts));
  await convert(await read(`${ORIGIN}/saml/v2/sp/${provider.id}/metadata`), 'saml20-sp-remote');

  const visit = async () => {
    const browser = new Browser(visitsBoth);
    const { authRequestID } = formWith(await browser.go(`${ORIGIN}/ui/account`), 'authRequestID').fields;
    const query = new URLSearchParams({ authRequestID, idpConfigID: provider.id });
    const asks = await withScripts(browser, await browser.go(`${ORIGIN}/ui/login/login/externalidp?${query}`));
    const { action, fields } = formWith(asks, 'password');
    assert.ok(action.startsWith(PHP), action);
    const answer = { ...fields, username: 'berta', password: 'bertas-password' };
    return withScripts(browser, await browser.go(action, answer));
  };

  await it('as an identity provider it checks our signed request, and signs somebody in at Gatehouse, twice as the same', async () => {
    for (const visited of [await visit(), await visit()]) {
      assert.equal(visited.status, 200, visited.text);
      assert.match(visited.text, /Berta Brecht &amp; &lt;co/);
    }
  });
} finally {
  await api('DELETE', `/admin/v1/idps/${provider.id}`);
  php.kill();
}
