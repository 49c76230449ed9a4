/* The files for nginx, Caddy and HAProxy, as they are but for names, ports and certificates. See README.md. */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:http2';
import { join } from 'node:path';
import { inDatabase, maintenanceUrl } from './database.mjs';
import { promise, trial, until } from './machine.mjs';
import { Api } from './traffic.mjs';

const HOST = 'id.example.com';
/** More than the 60 wrong secrets in a minute that one address has. */
const GUESSES = 70;

await trial(async (machine) => {
  const [serverPort, port, nginxPort, plainPort, caddyPort, haproxyPort] = Array.from({ length: 6 }, () =>
    machine.port(),
  );
  const server = await machine.startPostgres('server', serverPort);
  await inDatabase(maintenanceUrl(server.url), 'CREATE DATABASE gatehouse');
  const service = await machine.startService(port, { DATABASE_URL: server.url, PUBLIC_URL: `https://${HOST}` });
  const [certificate, key] = [join(machine.folder, 'cert.pem'), join(machine.folder, 'key.pem')];
  machine.run('openssl', [
    ...['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '1', '-subj', `/CN=${HOST}`],
    ...['-addext', `subjectAltName=DNS:${HOST}`, '-keyout', key, '-out', certificate],
  ]);

  const nginx = join(machine.folder, 'nginx.conf');
  const places = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${machine.folder}/${name};`,
  );
  const conf = fileText('../nginx/gatehouse.conf')
    .replaceAll('127.0.0.1:3000', `127.0.0.1:${port}`)
    .replace('listen 443 ssl http2', `listen 127.0.0.1:${nginxPort} ssl http2`)
    .replace('listen 80;', `listen 127.0.0.1:${plainPort};`)
    .replace(/ssl_certificate .*/, `ssl_certificate ${certificate};`)
    .replace(/ssl_certificate_key .*/, `ssl_certificate_key ${key};`);
  writeFileSync(
    nginx,
    `daemon off; pid ${machine.folder}/nginx.pid; error_log stderr warn; events {}\nhttp { access_log off; ${places.join(' ')}\n${conf}\n}`,
  );
  machine.start('nginx', ['-c', nginx, '-e', 'stderr']);
  await examine('nginx', nginxPort, readFileSync(certificate), service);
  const statuses = await begin(nginxPort, readFileSync(certificate), 60);
  promise(statuses.includes(429), 'nginx: an address that begins sign-in after sign-in gets 429');
  examineCiphers(machine, 'nginx', nginxPort);

  const caddy = join(machine.folder, 'Caddyfile');
  const text = fileText('../caddy/Caddyfile')
    .replaceAll('127.0.0.1:3000', `127.0.0.1:${port}`)
    .replace('id.example.com {', `https://${HOST}:${caddyPort} {\n\tbind 127.0.0.1`)
    .replace('tls {', `tls ${certificate} ${key} {`);
  writeFileSync(caddy, `{\n\tadmin off\n\tauto_https disable_redirects\n}\n${text}`);
  machine.start('caddy', ['run', '--config', caddy, '--adapter', 'caddyfile'], { env: { HOME: machine.folder } });
  await examine('Caddy', caddyPort, readFileSync(certificate), service);
  examineCiphers(machine, 'Caddy', caddyPort);

  const [haproxy, both] = [join(machine.folder, 'haproxy.cfg'), join(machine.folder, 'both.pem')];
  writeFileSync(both, readFileSync(certificate, 'utf8') + readFileSync(key, 'utf8'));
  const settings = fileText('../haproxy/haproxy.cfg')
    .replaceAll('127.0.0.1:3000', `127.0.0.1:${port}`)
    .replace('bind :443', `bind 127.0.0.1:${haproxyPort}`)
    .replace('/etc/ssl/id.example.com.pem', both)
    .replace(/^.*bind :8443.*$/m, ''); // see certificates.mjs
  writeFileSync(haproxy, settings);
  machine.start('haproxy', ['-db', '-f', haproxy]);
  await examine('HAProxy', haproxyPort, readFileSync(certificate), service);
  const atHaproxy = await begin(haproxyPort, readFileSync(certificate), 60);
  promise(atHaproxy.includes(429), 'HAProxy: an address that begins sign-in after sign-in gets 429');
  examineCiphers(machine, 'HAProxy', haproxyPort);
});

/** What a proxy must do, whichever it is. */
async function examine(name, port, ca, service) {
  await until(
    () =>
      ask(port, ca, { ':path': '/health/live' }).then(
        ({ status }) => status === 200,
        () => false,
      ),
    () => name,
  );
  const discovery = await ask(port, ca, { ':path': '/.well-known/openid-configuration' });
  promise(JSON.parse(discovery.body).issuer === `https://${HOST}`, `${name}: pages over HTTP/2, with our issuer`);
  promise('strict-transport-security' in discovery.headers, `${name}: the security headers of Gatehouse arrive`);
  promise(
    await isLimited(port, ca, service),
    `${name}: a forged X-Forwarded-For does not escape the limits on guessing`,
  );
  const api = { ':method': 'POST', authorization: `Bearer ${service.token}`, 'content-type': 'application/json' };
  const exported = await ask(port, ca, { ...api, ':path': '/admin/v1/export' }, '{}');
  promise(exported.status === 200 && JSON.parse(exported.body).orgs.length > 0, `${name}: an export`);
  const grpc = await ask(
    port,
    ca,
    {
      ':method': 'POST',
      ':path': '/service.admin.v1.AdminService/Healthz',
      'content-type': 'application/grpc',
      te: 'trailers',
    },
    Buffer.alloc(5),
  );
  promise(grpc.trailers['grpc-status'] === '0' || grpc.headers['grpc-status'] === '0', `${name}: gRPC`);
}

/** The suites of TLS 1.2 that a proxy takes, each tried by itself: the certificate is of RSA. */
function examineCiphers(machine, name, port) {
  const known = machine.run('openssl', ['ciphers', '-tls1_2', 'ALL:@SECLEVEL=0']).trim().split(':');
  const taken = known.filter((cipher) => {
    const tried = spawnSync(
      'openssl',
      ['s_client', '-connect', `127.0.0.1:${port}`, '-servername', HOST, '-tls1_2', '-cipher', `${cipher}:@SECLEVEL=0`],
      { input: '', encoding: 'utf8' },
    );
    return /Cipher is (?!\(NONE\))/.test(tried.stdout);
  });
  const wanted = ['ECDHE-RSA-AES128-GCM-SHA256', 'ECDHE-RSA-AES256-GCM-SHA384'];
  promise(
    taken.length > 0 && taken.every((cipher) => wanted.includes(cipher)),
    `${name}: of TLS 1.2 only ECDHE with AES-GCM (${taken.join(', ')})`,
  );
}

/** Whether an address is refused after too many wrong secrets, although it says each time that it is another one. */
async function isLimited(port, ca, service) {
  const clientId = await new Api(service).addConfidentialApplication();
  for (let count = 1; count <= GUESSES; count += 1) {
    const guess = {
      ':method': 'POST',
      ':path': '/oauth/v2/token',
      'content-type': 'application/x-www-form-urlencoded',
    };
    const authorization = `Basic ${Buffer.from(`${clientId}:wrong-${count}`).toString('base64')}`;
    const forged = { 'x-forwarded-for': `203.0.113.${count}` };
    const { status } = await ask(port, ca, { ...guess, authorization, ...forged }, 'grant_type=client_credentials');
    if (status === 429) return true;
  }
  return false;
}

async function begin(port, ca, count) {
  const path = '/oauth/v2/authorize?client_id=unknown';
  return Promise.all(
    Array.from({ length: count }, () => ask(port, ca, { ':path': path }).then(({ status }) => status)),
  );
}

/** One request over HTTP/2. */
async function ask(port, ca, headers, body) {
  const session = connect(`https://${HOST}:${port}`, { ca, servername: HOST, host: '127.0.0.1', port, lookup });
  try {
    return await new Promise((resolve, reject) => {
      session.once('error', reject);
      const stream = session.request({ ':authority': HOST, ...headers }, { endStream: body === undefined });
      const answer = { status: 0, headers: {}, trailers: {}, body: '' };
      stream.setEncoding('utf8');
      stream.once('response', (found) => Object.assign(answer, { status: found[':status'], headers: found }));
      stream.once('trailers', (trailers) => (answer.trailers = trailers));
      stream.on('data', (chunk) => (answer.body += chunk));
      stream.once('end', () => resolve(answer)).once('error', reject);
      if (body !== undefined) stream.end(body);
    });
  } finally {
    session.close();
  }
}

function lookup(_name, options, found) {
  if (options.all) found(null, [{ address: '127.0.0.1', family: 4 }]);
  else found(null, '127.0.0.1', 4);
}

function fileText(path) {
  return readFileSync(new URL(path, import.meta.url), 'utf8');
}
