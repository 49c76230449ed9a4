/* Certificates of clients through nginx, HAProxy and Caddy, as the files of `deploy` set them up, with openid-client and a client in Go. See README.md. */
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import * as library from 'openid-client';
import { ISSUER, MTLS, Place, REDIRECT_URI } from './certificates/parties.mjs';
import { setUp } from './certificates/stage.mjs';
import { inDatabase, maintenanceUrl } from './database.mjs';
import { promise, trial, until } from './machine.mjs';

const TOKEN = '/oauth/v2/token';
const USERINFO = '/oidc/v1/userinfo';
const RFC_9440 = 'Client-Cert';
const PROJECT = fileURL('certificates/');

await trial(async (machine) => {
  const [serverPort, port, nginxPort, plainPort, caddyPort, haproxyPort, haproxyMtlsPort] = ports(machine, 7);
  const server = await machine.startPostgres('server', serverPort);
  await inDatabase(maintenanceUrl(server.url), 'CREATE DATABASE gatehouse');
  const settings = {
    DATABASE_URL: server.url,
    PUBLIC_URL: ISSUER,
    MTLS_URL: MTLS,
    CLIENT_CERT_HEADER: 'X-Client-Cert',
    CLIENT_CERT_VERIFY_HEADER: 'X-Client-Verify',
  };
  const service = await machine.startService(port, settings);
  const go = goIn(machine);
  const folder = go.certificates;
  const stage = await setUp(service, folder);

  startNginx(machine, folder, { port, nginxPort, plainPort });
  await examine('nginx', new Place(folder, nginxPort, nginxPort), stage, go);
  startHaproxy(machine, folder, { port, haproxyPort, haproxyMtlsPort });
  await examine('HAProxy', new Place(folder, haproxyPort, haproxyMtlsPort), stage, go);
  startCaddy(machine, folder, { port, caddyPort });
  await examine('Caddy', new Place(folder, caddyPort, caddyPort), stage, go, { verifiesAlways: true });

  await pastTheProxies(stage, port);

  // The same with the header of RFC 9440, which nginx cannot write.
  const [ownPort, ownHaproxyPort, ownHaproxyMtlsPort, ownCaddyPort] = ports(machine, 4);
  await machine.startService(ownPort, { ...settings, CLIENT_CERT_HEADER: RFC_9440 });
  const haproxy = { port: ownPort, haproxyPort: ownHaproxyPort, haproxyMtlsPort: ownHaproxyMtlsPort };
  startHaproxy(machine, folder, haproxy, withRfc9440);
  await examine('HAProxy, RFC 9440', new Place(folder, ownHaproxyPort, ownHaproxyMtlsPort), stage, go, {
    header: RFC_9440,
  });
  startCaddy(machine, folder, { port: ownPort, caddyPort: ownCaddyPort }, withRfc9440);
  await examine('Caddy, RFC 9440', new Place(folder, ownCaddyPort, ownCaddyPort), stage, go, {
    verifiesAlways: true,
    header: RFC_9440,
  });
});

function ports(machine, count) {
  return Array.from({ length: count }, () => machine.port());
}

/** A file changed as its comments say: the lines for RFC 9440 in place of those with the other header. */
function withRfc9440(text) {
  return text
    .replaceAll(/^[^#\n]*X-Client-Cert.*\n/gm, '')
    .replaceAll(/# ((?:http-request|request_header|header_up) .*)/g, '$1');
}

/** What must hold behind a proxy, whichever it is. */
async function examine(name, place, stage, go, { verifiesAlways = false, header = 'X-Client-Cert' } = {}) {
  await until(
    () =>
      place.statusOf(undefined, `${ISSUER}/health/live`).then(
        (status) => status === 200,
        () => false,
      ),
    () => name,
  );
  const visitor = await place.visitor(stage.person, stage.byName);
  const parties = [['tls_client_auth', stage.byName, 'client']];
  if (!verifiesAlways) parties.push(['self_signed_tls_client_auth', stage.bySelf, 'self']);
  for (const [method, clientId, certificate] of parties) {
    const { tokens, resumed } = await useLibrary(place, visitor, clientId, certificate);
    promise(tokens.isBound, `${name}, ${method}: openid-client gets tokens that are bound to its certificate`);
    promise(tokens.isUsed, `${name}, ${method}: it uses them at userinfo, refreshes, and pushes requests`);
    promise(resumed, `${name}, ${method}: a session of TLS that is continued still shows the certificate`);
    const said = await go.use('client', place, {
      CLIENT_ID: clientId,
      CERTIFICATE: certificate,
      ...(await codeFor(place, visitor, clientId)),
    });
    promise(/type=Bearer with=200 without=(?:401|0)$/.test(said), `${name}, ${method}: a client in Go: ${said}`);
    await misuse(name, method, place, visitor, { clientId, certificate, token: tokens.accessToken });
  }
  await forge(name, place, visitor, stage, { verifiesAlways, header });
}

async function useLibrary(place, visitor, clientId, certificate) {
  const fetched = place.fetchAs(certificate);
  const metadata = { use_mtls_endpoint_aliases: true };
  const config = await library.discovery(new URL(ISSUER), clientId, metadata, library.TlsClientAuth(), {
    [library.customFetch]: fetched,
  });
  const verifier = library.randomPKCECodeVerifier();
  const state = library.randomState();
  const challenge = await library.calculatePKCECodeChallenge(verifier);
  const parameters = {
    redirect_uri: REDIRECT_URI,
    scope: 'openid offline_access',
    state,
    code_challenge: challenge,
    code_challenge_method: 'S256',
  };
  const pushed = await library.buildAuthorizationUrlWithPAR(config, parameters);
  const { returned } = await visitor.open(pushed.pathname + pushed.search, REDIRECT_URI);
  const first = await library.authorizationCodeGrant(config, new URL(returned), {
    pkceCodeVerifier: verifier,
    expectedState: state,
  });
  const found = await library.tokenIntrospection(config, first.access_token);
  const x509 = new X509Certificate(place.file(`${certificate}.pem`));
  const digest = Buffer.from(x509.fingerprint256.replaceAll(':', ''), 'hex').toString('base64url');
  const { sub } = await library.fetchUserInfo(config, first.access_token, first.claims().sub);
  const next = await library.refreshTokenGrant(config, first.refresh_token);
  const again = await library.fetchUserInfo(config, next.access_token, sub);
  const tokens = {
    isBound: found.active && found.cnf?.['x5t#S256'] === digest,
    isUsed: again.sub === sub,
    accessToken: next.access_token,
  };
  return { tokens, resumed: fetched.resumed };
}

/** Other certificates, and none, with good tokens and good codes. */
async function misuse(name, method, place, visitor, { clientId, certificate, token }) {
  const own = certificate === 'client' ? ['other', 'expired', 'stranger', 'self'] : ['self-other', 'client'];
  const use = async (shown, at = MTLS) =>
    place.statusOf(shown, at + USERINFO, { headers: { authorization: `Bearer ${token}` } });
  promise((await use(certificate)) === 200, `${name}, ${method}: the token is good`);
  const uses = await Promise.all([...own, undefined].map(async (shown) => use(shown)));
  promise(uses.every(isRefused), `${name}, ${method}: with another certificate, or none, it is not: ${uses}`);
  promise(isRefused(await use(undefined, ISSUER)), `${name}, ${method}: nor at the host that asks for none`);

  const { CODE, VERIFIER } = await codeFor(place, visitor, clientId);
  const form = redemption(clientId, CODE, VERIFIER);
  const answers = await Promise.all([...own, undefined].map((shown) => place.statusOf(shown, MTLS + TOKEN, { form })));
  promise(answers.every(isRefused), `${name}, ${method}: nobody else authenticates with its name: ${answers}`);
  promise(
    (await place.statusOf(certificate, MTLS + TOKEN, { form })) === 200,
    `${name}, ${method}: and the code stays good`,
  );
}

/** Headers of the proxy that the client writes itself. */
async function forge(name, place, visitor, stage, { verifiesAlways, header }) {
  const pem = place.file('client.pem').toString();
  const der = pem.replace(/-----[A-Z ]+-----|\s/g, '');
  const { CODE, VERIFIER } = await codeFor(place, visitor, stage.byName);
  const form = redemption(stage.byName, CODE, VERIFIER);
  const statuses = [];
  for (const written of [encodeURIComponent(pem), der, `:${der}:`])
    for (const verdict of ['SUCCESS', '0'])
      for (const names of [
        [header, 'X-Client-Verify'],
        [header.toLowerCase(), 'X-CLIENT-VERIFY'],
        [header.replaceAll('-', '_'), 'X_Client_Verify'],
      ]) {
        const forged = { [names[0]]: written, [names[1]]: verdict };
        const twice = { [names[0]]: [written, written], [names[1]]: [verdict, verdict] };
        for (const headers of [forged, twice])
          for (const [at, shown] of [
            [ISSUER, undefined],
            [MTLS, undefined],
            [MTLS, verifiesAlways ? 'other' : 'stranger'],
          ])
            statuses.push(await place.statusOf(shown, at + TOKEN, { form, forged: headers }));
      }
  promise(
    statuses.every(isRefused),
    `${name}: ${statuses.length} requests with forged headers: ${[...new Set(statuses)]}`,
  );
  promise((await place.statusOf('client', MTLS + TOKEN, { form })) === 200, `${name}: and the code stays good`);
}

/** From an address that is no proxy's, straight to the service. */
async function pastTheProxies({ byName, certificate }, port) {
  const form = new URLSearchParams({
    grant_type: 'refresh_token',
    refresh_token: 'none',
    client_id: byName,
  }).toString();
  const ask = async (localAddress) => {
    const socket = connect({ host: '127.0.0.1', port, localAddress });
    socket.end(
      `POST ${TOKEN} HTTP/1.1\r\nHost: id.example.com\r\nConnection: close\r\nX-Client-Cert: ${encodeURIComponent(certificate)}\r\n` +
        `X-Client-Verify: SUCCESS\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: ${form.length}\r\n\r\n${form}`,
    );
    let text = '';
    socket.setEncoding('utf8').on('data', (chunk) => (text += chunk));
    await once(socket, 'close');
    return /"error":"(\w+)"/.exec(text)?.[1];
  };
  promise((await ask('127.0.0.1')) === 'invalid_grant', 'a header of a trusted address authenticates');
  promise((await ask('127.0.0.2')) === 'invalid_client', 'the same header of any other address does not');
}

async function codeFor(place, visitor, clientId) {
  const VERIFIER = library.randomPKCECodeVerifier();
  const challenge = await library.calculatePKCECodeChallenge(VERIFIER);
  const path = place.request(clientId, { code_challenge: challenge, code_challenge_method: 'S256' });
  const { returned } = await visitor.open(path, REDIRECT_URI);
  return { CODE: new URL(returned).searchParams.get('code'), VERIFIER };
}

function redemption(clientId, code, verifier) {
  return {
    grant_type: 'authorization_code',
    client_id: clientId,
    code,
    redirect_uri: REDIRECT_URI,
    code_verifier: verifier,
  };
}

/** By Gatehouse, or by the proxy before. */
function isRefused(status) {
  return status === 401 || status === 0;
}

function startNginx(machine, folder, { port, nginxPort, plainPort }) {
  const places = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${machine.folder}/${name};`,
  );
  const conf = [fileText('../nginx/gatehouse.conf'), fileText('../nginx/gatehouse-mtls.conf')]
    .join('\n')
    .replaceAll('127.0.0.1:3000', `127.0.0.1:${port}`)
    .replaceAll('listen 443 ssl http2', `listen 127.0.0.1:${nginxPort} ssl http2`)
    .replace('listen 80;', `listen 127.0.0.1:${plainPort};`)
    .replace('/etc/ssl/clients.pem', `${folder}/authority.pem`)
    .replaceAll(/ssl_certificate .*/g, `ssl_certificate ${folder}/server.pem;`)
    .replaceAll(/ssl_certificate_key .*/g, `ssl_certificate_key ${folder}/server.key;`);
  const file = join(machine.folder, 'nginx.conf');
  writeFileSync(
    file,
    `daemon off; pid ${machine.folder}/nginx.pid; error_log stderr warn; events {}\nhttp { access_log off; ${places.join(' ')}\n${conf}\n}`,
  );
  machine.start('nginx', ['-c', file, '-e', 'stderr']);
}

function startHaproxy(machine, folder, { port, haproxyPort, haproxyMtlsPort }, change = (text) => text) {
  const conf = change(fileText('../haproxy/haproxy.cfg'))
    .replaceAll('127.0.0.1:3000', `127.0.0.1:${port}`)
    .replace('bind :443', `bind 127.0.0.1:${haproxyPort}`)
    .replace('bind :8443', `bind 127.0.0.1:${haproxyMtlsPort}`)
    .replace('/etc/ssl/clients.pem', `${folder}/authority.pem`)
    .replaceAll(/\/etc\/ssl\/\w+\.example\.com\.pem/g, `${folder}/server.both`);
  const file = join(machine.folder, `haproxy-${haproxyPort}.cfg`);
  writeFileSync(file, conf);
  machine.start('haproxy', ['-db', '-f', file]);
}

function startCaddy(machine, folder, { port, caddyPort }, change = (text) => text) {
  const own = `tls ${folder}/server.pem ${folder}/server.key`;
  const text = change(fileText('../caddy/Caddyfile')).replace(
    'id.example.com {',
    `https://id.example.com:${caddyPort} {\n\t${own}\n\tbind 127.0.0.1`,
  );
  const withCertificates = change(fileText('../caddy/Caddyfile.mtls'))
    .replace('mtls.example.com {', `https://mtls.example.com:${caddyPort} {\n\tbind 127.0.0.1`)
    .replace('\ttls {', `\t${own} {`)
    .replace('/etc/ssl/clients.pem', `${folder}/authority.pem`);
  const all = `${text}\n${withCertificates}`.replaceAll('127.0.0.1:3000', `127.0.0.1:${port}`);
  const file = join(machine.folder, `Caddyfile-${caddyPort}`);
  writeFileSync(file, `{\n\tadmin off\n\tauto_https disable_redirects\n}\n${all}`);
  machine.start('caddy', ['run', '--config', file, '--adapter', 'caddyfile'], { env: { HOME: machine.folder } });
}

/** Go in a folder of the trial, with the certificates that it has made. */
function goIn(machine) {
  const folder = join(machine.folder, 'go');
  const certificates = join(machine.folder, 'certificates');
  for (const each of [folder, certificates]) mkdirSync(each);
  const ours = { uid: process.getuid?.(), gid: process.getgid?.(), cwd: folder, timeout: 300_000 };
  for (const name of ['authorities', 'client']) {
    mkdirSync(join(folder, name));
    cpSync(join(PROJECT, `${name}.go`), join(folder, name, 'main.go'));
  }
  machine.run('go', ['mod', 'init', 'trial'], ours);
  machine.run('go', ['get', 'golang.org/x/oauth2@latest'], ours);
  for (const name of ['authorities', 'client']) machine.run('go', ['build', '-o', `run-${name}`, `./${name}`], ours);
  machine.run(join(folder, 'run-authorities'), [certificates], ours);
  return {
    certificates,
    async use(program, { port, mtlsPort }, env) {
      const ports = { PORT: String(port), MTLS_PORT: String(mtlsPort) };
      const started = machine.start(join(folder, `run-${program}`), [], {
        env: { FOLDER: certificates, REDIRECT_URI, ...ports, ...env },
        asOurselves: true,
      });
      await once(started.child, 'close');
      return started.text.trim();
    },
  };
}

function fileText(path) {
  return readFileSync(fileURL(path), 'utf8');
}

function fileURL(path) {
  return new URL(path, import.meta.url).pathname;
}
