/*
 * A Gatehouse that runs with EXTENSIONS=saml, as an administrator and as a browser without scripts see it.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'node-html-parser';

const root = join(import.meta.dirname, '..', '..', '..');
export const ORIGIN = process.env.GATEHOUSE ?? 'http://localhost:3000';
const token = readFileSync(process.env.GATEHOUSE_TOKEN ?? join(root, '.data', 'admin.pat'), 'utf8').trim();
const PASSWORD = 'Correct-Horse-7';
const MOST_STEPS = 20;

/** An operation of the administrative API, which must succeed. */
export async function api(method, path, body) {
  const reply = await fetch(ORIGIN + path, {
    method,
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: body && JSON.stringify(body),
  });
  const text = await reply.text();
  if (!reply.ok) throw new Error(`${method} ${path} answers ${reply.status}: ${text}`);
  return JSON.parse(text);
}

/** An application that speaks SAML, in a project of its own; its id. */
export async function register(metadata, settings = {}) {
  const name = `Trial ${Date.now()}`;
  const { id } = await api('POST', '/management/v1/projects', { name });
  const path = `/management/v1/ext/saml/projects/${id}/applications`;
  const { applicationId } = await api('POST', path, { name, metadata, ...settings });
  return { id: applicationId, remove: () => api('DELETE', `${path}/${applicationId}`) };
}

/** Somebody who can sign in. */
export async function addPerson() {
  const userName = `anna${Date.now()}`;
  const email = `${userName}@mail.test`;
  await api('POST', '/management/v1/users/human/_import', {
    userName,
    profile: { firstName: 'Anna', lastName: 'Arendt & <co>' },
    email: { email, isEmailVerified: true },
    password: PASSWORD,
    passwordChangeRequired: false,
  });
  return { userName, email };
}

/** Follows redirects, and stops at addresses that it is not to visit. */
export class Browser {
  cookies = new Map();

  /** @param visits whether there is something at this address */
  constructor(visits = (url) => url.startsWith(ORIGIN)) {
    this.visits = visits;
  }

  /** Where it ends: a page with its forms, or the address of another service. */
  async go(url, fields) {
    let [next, form] = [url, fields];
    for (let step = 0; step < MOST_STEPS; step += 1) {
      if (!this.visits(next)) return { url: next, forms: [] };
      const reply = await this.send(next, form);
      if (reply.status < 300 || reply.status >= 400) return pageOf(next, reply, await reply.text());
      next = new URL(reply.headers.get('location'), next).href;
      form = undefined;
    }
    throw new Error(`${url} redirects without end.`);
  }

  /** Fills in what a page of Gatehouse asks for; what is only offered is declined. */
  async signIn(page, { userName }) {
    let now = page;
    for (let step = 0; step < MOST_STEPS; step += 1) {
      const of = (name) => now.forms.find(({ fields }) => name in fields);
      const skip = now.root?.querySelector('button[name="factor"][value="skip"]');
      const [form, answers] = of('password')
        ? [of('password'), { password: PASSWORD }]
        : of('loginName')
          ? [of('loginName'), { loginName: userName }]
          : [skip && of('csrf'), { factor: 'skip' }];
      if (!form) return now;
      now = await this.go(form.action, { ...form.fields, ...answers });
    }
    throw new Error('Signing in has no end.');
  }

  async send(url, form) {
    const { origin } = new URL(url);
    const jar = this.cookies.get(origin) ?? new Map();
    const reply = await fetch(url, {
      redirect: 'manual',
      method: form ? 'POST' : 'GET',
      headers: { Cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; '), Accept: 'text/html' },
      body: form && new URLSearchParams(form),
    });
    for (const line of reply.headers.getSetCookie()) {
      const [pair] = line.split(';');
      jar.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1));
    }
    this.cookies.set(origin, jar);
    return reply;
  }
}

function pageOf(url, { status }, text) {
  const page = parse(text);
  const forms = page.querySelectorAll('form').map((form) => ({
    action: new URL(form.getAttribute('action') ?? '', url).href,
    fields: Object.fromEntries(
      form
        .querySelectorAll('input')
        .map((input) => [input.getAttribute('name') ?? '', input.getAttribute('value') ?? ''])
        .filter(([name]) => name !== ''),
    ),
  }));
  return { url, status, text, root: page, forms };
}
