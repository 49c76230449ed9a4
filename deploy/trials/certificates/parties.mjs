import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { Browser } from '../../../bench/load/browser.mjs';
import { Connection } from '../../../bench/load/connection.mjs';
import { PASSWORD } from '../traffic.mjs';

export const ISSUER = 'https://id.example.com';
export const MTLS = 'https://mtls.example.com';
export const REDIRECT_URI = 'https://app.example.com/callback';
const NO_HANDSHAKE = ['ECONNRESET', 'EPIPE', 'ERR_SSL_'];

/** A proxy as its clients see it: its two hosts, each at a port of this machine. */
export class Place {
  constructor(folder, port, mtlsPort) {
    Object.assign(this, { folder, port, mtlsPort });
    this.ca = this.file('server-authority.pem');
  }

  file(name) {
    return readFileSync(join(this.folder, name));
  }

  portOf({ host }) {
    return host === new URL(MTLS).host ? this.mtlsPort : this.port;
  }

  /** `fetch` over TLS with a certificate, or without one. Each request has a connection of its own, and continues an earlier session of TLS. */
  fetchAs(certificate) {
    const own = certificate && { cert: this.file(`${certificate}.pem`), key: this.file(`${certificate}.key`) };
    const agent = new Agent({ keepAlive: false });
    const fetched = async (address, { method = 'GET', headers = {}, body } = {}) =>
      new Promise((resolve, reject) => {
        const url = new URL(address);
        const { hostname, pathname, search } = url;
        const to = { host: '127.0.0.1', port: this.portOf(url), servername: hostname, path: pathname + search };
        const all = { Host: hostname, ...Object.fromEntries(new Headers(headers)), ...(headers.forged ?? {}) };
        delete all.forged;
        const sent = request({ ...to, ...own, agent, ca: this.ca, method, headers: all }, (answer) => {
          fetched.resumed ||= answer.socket.isSessionReused();
          const chunks = [];
          answer.on('data', (chunk) => chunks.push(chunk)).once('error', reject);
          answer.once('end', () => {
            const text = Buffer.concat(chunks);
            const isEmpty = answer.statusCode === 204 || answer.statusCode === 304;
            resolve(new Response(isEmpty ? null : text, { status: answer.statusCode, headers: flat(answer.headers) }));
          });
        });
        sent.once('error', reject).end(body === undefined ? undefined : String(body));
      });
    fetched.resumed = false;
    return fetched;
  }

  /** The status of a request with the headers of a liar; 0 if the proxy let nothing through. */
  async statusOf(certificate, url, { method = 'GET', headers = {}, forged = {}, form } = {}) {
    const body = form && new URLSearchParams(form).toString();
    const type = form ? { 'content-type': 'application/x-www-form-urlencoded', 'content-length': body.length } : {};
    const all = { ...type, ...headers };
    // Names and values as they are, also several of one name, which Headers would join.
    Object.defineProperty(all, 'forged', { value: forged, enumerable: false });
    try {
      const answer = await this.fetchAs(certificate)(url, { method: form ? 'POST' : method, headers: all, body });
      // The page of nginx for a certificate that is not valid at this time.
      const isOfProxy = answer.status === 400 && answer.headers.get('content-type')?.startsWith('text/html');
      return isOfProxy ? 0 : answer.status;
    } catch (error) {
      if (NO_HANDSHAKE.some((code) => String(error.code).startsWith(code))) return 0;
      throw error;
    }
  }

  /** A browser in which a person is signed in. */
  async visitor(loginName, clientId) {
    const browser = new Browser(new TlsConnection(this));
    let at = await browser.open(this.request(clientId), REDIRECT_URI);
    at = await browser.submit(at, { loginName }, REDIRECT_URI);
    at = await browser.submit(at, { password: PASSWORD }, REDIRECT_URI);
    if (at.page?.includes('value="skip"')) await browser.submit(at, { factor: 'skip' }, REDIRECT_URI);
    return browser;
  }

  request(clientId, over = {}) {
    const query = { client_id: clientId, redirect_uri: REDIRECT_URI, response_type: 'code', scope: 'openid', ...over };
    return `/oauth/v2/authorize?${new URLSearchParams(query)}`;
  }
}

/** A connection of a browser, through the proxy. */
class TlsConnection extends Connection {
  constructor(place) {
    super(new URL(ISSUER));
    this.place = place;
  }

  dial() {
    const { port, ca } = this.place;
    return connect({ host: '127.0.0.1', port, ca, servername: this.origin.hostname, ALPNProtocols: ['http/1.1'] });
  }
}

function flat(headers) {
  return Object.entries(headers).flatMap(([name, value]) => [value].flat().map((one) => [name, one]));
}
