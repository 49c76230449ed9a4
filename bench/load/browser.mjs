import { get, post } from './connection.mjs';

const MOST_STEPS = 12;

/** As much of a browser as a sign-in needs: a cookie jar, redirects, and the first form of a page. */
export class Browser {
  /** @param {import('./connection.mjs').Connection} connection @param {Record<string, string>} headers that every request has */
  constructor(connection, headers = {}) {
    this.connection = connection;
    this.headers = headers;
    /** @type {Map<string, { value: string, path: string }>} */
    this.cookies = new Map();
  }

  forgetCookies() {
    this.cookies.clear();
  }

  /**
   * Opens an address of the server and follows its redirects.
   * @returns {Promise<{ returned: string } | { url: URL, page: string }>} `returned`: the address outside the server to which it sent us
   */
  async open(address, returnAddress) {
    return this.follow(new URL(address, this.connection.origin), undefined, returnAddress);
  }

  /** Sends the form of a page with these values beside its hidden ones. */
  async submit({ url, page }, values, returnAddress) {
    const { action, body } = formOf({ url, page }, values);
    return this.follow(action, body, returnAddress);
  }

  async follow(url, form, returnAddress) {
    let at = url;
    let body = form;
    for (let step = 0; step < MOST_STEPS; step += 1) {
      const answer = await this.exchange(at, body);
      const { status } = answer;
      if (status === 200) return { url: at, page: answer.text() };
      const location = answer.header('location');
      if ((status !== 302 && status !== 303) || !location) {
        throw new Error(`unexpected answer ${status} of ${at.pathname}: ${answer.text().slice(0, 400)}`);
      }
      if (location.startsWith(returnAddress)) return { returned: location };
      at = new URL(location, at);
      body = undefined;
      if (at.host !== this.connection.origin.host) throw new Error(`sent to a foreign address: ${location}`);
    }
    throw new Error(`more than ${MOST_STEPS} redirects from ${url.pathname}`);
  }

  async exchange(url, form) {
    const { origin } = this.connection;
    const path = url.pathname + url.search;
    const cookie = this.cookieFor(url.pathname);
    const headers = { ...this.headers, ...(cookie ? { Cookie: cookie } : {}) };
    // Browsers say which page has sent a form, and a careful server looks at it.
    if (form !== undefined) Object.assign(headers, { Origin: origin.origin, 'Sec-Fetch-Site': 'same-origin' });
    const message = form === undefined ? get(origin, path, headers) : post(origin, path, form, headers);
    const answer = await this.connection.request(message);
    for (const line of answer.headers('set-cookie')) this.keep(line);
    return answer;
  }

  cookieFor(path) {
    let line = '';
    for (const [name, cookie] of this.cookies) {
      if (!path.startsWith(cookie.path)) continue;
      line += line ? `; ${name}=${cookie.value}` : `${name}=${cookie.value}`;
    }
    return line;
  }

  keep(line) {
    const [pair, ...attributes] = line.split(';');
    const equals = pair.indexOf('=');
    const name = pair.slice(0, equals);
    const value = pair.slice(equals + 1);
    let path = '/';
    let gone = value === '';
    for (const attribute of attributes) {
      const [key, setting = ''] = attribute.trim().split('=');
      const word = key.toLowerCase();
      if (word === 'path') path = setting;
      else if (word === 'max-age') gone ||= Number(setting) <= 0;
      else if (word === 'expires') gone ||= setting.includes('1970');
    }
    if (gone) this.cookies.delete(name);
    else this.cookies.set(name, { value, path });
  }
}

/** The first form of a page that has these fields, with the values beside its hidden ones: where it goes, and its body. */
export function formOf({ url, page }, values) {
  const forms = [...page.matchAll(/<form\b([^>]*)>([\s\S]*?)<\/form>/g)];
  const form =
    forms.find(([, , fields]) => Object.keys(values).every((name) => fields.includes(`name="${name}"`))) ?? forms[0];
  if (!form) throw new Error(`no form on the page ${url.pathname}: ${page.slice(0, 300)}`);
  const action = attribute(form[1], 'action');
  const body = new URLSearchParams();
  for (const [, attributes] of form[2].matchAll(/<input\b([^>]*)>/g)) {
    if (attribute(attributes, 'type') === 'hidden')
      body.set(attribute(attributes, 'name'), attribute(attributes, 'value') ?? '');
  }
  for (const name in values) {
    if (!form[2].includes(`name="${name}"`)) throw new Error(`no field ${name} on the page ${url.pathname}`);
    body.set(name, values[name]);
  }
  return { action: action ? new URL(action, url) : url, body: body.toString() };
}

/** What a page asks an authenticator for. */
export function passkeyOptionsOf({ url, page }) {
  const form = /<form\b([^>]*\bdata-passkey="get"[^>]*)>/.exec(page);
  if (!form) throw new Error(`no passkey is asked for on the page ${url.pathname}: ${page.slice(0, 300)}`);
  return JSON.parse(attribute(form[1], 'data-options'));
}

const ENTITIES = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", '#x27': "'" };

function attribute(text, name) {
  const found = new RegExp(`\\b${name}="([^"]*)"`).exec(text);
  return found?.[1].replace(/&(#?\w+);/g, (whole, word) => ENTITIES[word] ?? whole);
}
