import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { inDatabase } from '../database.mjs';
import { ask, codeRequest, LANES, VERIFIER } from './stage.mjs';

const ANSWER_MS = 30;
/** Each process reads five documents of one host in a second. */
const ROUND_MS = 250;

/** A web server whose documents describe applications (draft-ietf-oauth-client-id-metadata-document), no two of them in the same way. */
export class DocumentHost {
  constructor(server, port, authorityFile) {
    this.origin = `https://localhost:${port}`;
    /** What the service has to be told. */
    this.settings = { CLIENT_DOCUMENT_HOSTS: `localhost:${port}`, NODE_EXTRA_CA_CERTS: authorityFile };
    /** How often each path was read. */
    this.reads = new Map();
    server.on('request', (request, response) => void this.answer(request.url, response));
  }

  static async open(machine) {
    const [key, certificate] = ['documents.key', 'documents.pem'].map((name) => join(machine.folder, name));
    const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
    const pair = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-keyout', key, '-out', certificate];
    machine.run('openssl', ['req', '-x509', '-nodes', '-days', '2', ...pair, ...subject]);
    const port = machine.port();
    const server = createServer({ key: readFileSync(key), cert: readFileSync(certificate) });
    await new Promise((resolve) => server.listen(port, 'localhost', resolve));
    server.unref();
    return new DocumentHost(server, port, certificate);
  }

  async answer(path, response) {
    const version = (this.reads.get(path) ?? 0) + 1;
    this.reads.set(path, version);
    await sleep(ANSWER_MS);
    const name = path.startsWith('/changing/') ? `V${version}` : 'V1';
    const document = {
      client_id: this.origin + path,
      client_name: name,
      redirect_uris: [this.redirectUri, `${this.origin}/${name}`],
      token_endpoint_auth_method: 'none',
    };
    response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(document));
  }

  /** In every version of every document. */
  get redirectUri() {
    return `${this.origin}/callback`;
  }
}

export const DOCUMENT_RACES = {
  'an application that describes itself is read once by each process, and has one row after twenty first consents':
    async (stage) => consents(stage, '/same/'),

  'one whose document changes between two readers has one row, of one version': async (stage) =>
    consents(stage, '/changing/'),
};

async function consents(stage, folder) {
  const host = stage.documents;
  const visitors = await stage.visitors();
  return async (count) => {
    const path = `${folder}${count}`;
    const clientId = host.origin + path;
    const query = new URLSearchParams(codeRequest(clientId, host.redirectUri));
    const [pages] = await Promise.all([
      Promise.all(visitors.map((visitor) => visitor.open(`/oauth/v2/authorize?${query}`, host.redirectUri))),
      sleep(ROUND_MS),
    ]);
    if (pages.some(({ page }) => !page?.includes('name="decision"'))) return 'somebody was not asked';
    const ends = await Promise.all(
      visitors.map((visitor, n) => visitor.submit(pages[n], { decision: 'continue' }, host.redirectUri)),
    );
    const codes = ends.map(({ returned }) => returned && new URL(returned).searchParams.get('code'));
    if (codes.some((code) => !code)) return `answers ${ends.map(({ returned }) => returned)}`;
    const tokens = await stage.everywhere((at, lane) =>
      ask(at, '/oauth/v2/token', {
        grant_type: 'authorization_code',
        code: codes[lane],
        redirect_uri: host.redirectUri,
        code_verifier: VERIFIER,
        client_id: clientId,
      }),
    );
    if (tokens.some(({ status }) => status !== 200)) return `redemptions ${tokens.map(({ status }) => status)}`;
    const rows = await inDatabase(
      stage.databaseUrl,
      `SELECT about->>'name' AS name, redirect_uris FROM client WHERE client_id = '${clientId}'`,
    );
    const [row] = rows;
    const isWhole = rows.length === 1 && row.redirect_uris.join() === `${host.redirectUri},${host.origin}/${row.name}`;
    const reads = host.reads.get(path);
    return isWhole && reads === 2 && codes.length === LANES
      ? undefined
      : `${reads} reads, rows ${JSON.stringify(rows)}`;
  };
}
