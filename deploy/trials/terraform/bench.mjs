import { generateKeyPairSync } from 'node:crypto';
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const { PROVIDER, EXAMPLES } = process.env;
/** The word of that system's clients. */
export const WORD = 'zitadel';

/** A PNG of one pixel. */
const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
/** What the id stands for that some examples name without saying of what it is. */
const OF_NO_DATA = { organization: 'human_user', project_grant_member: 'project_grant' };

/** What the examples refer to, and terraform itself. */
export class Bench {
  ids = {};

  constructor(machine, { origin, token }, port) {
    Object.assign(this, { machine, origin, token, port });
    this.folder = join(machine.folder, 'terraform');
    mkdirSync(join(this.folder, 'plugins'), { recursive: true });
    copyFileSync(PROVIDER, join(this.folder, 'plugins', `terraform-provider-${WORD}`));
    this.config = join(this.folder, 'terraform.rc');
    writeFileSync(
      this.config,
      `provider_installation {\n  dev_overrides { "${WORD}/${WORD}" = "${join(this.folder, 'plugins')}" }\n  direct {}\n}\n`,
    );
  }

  async call(method, path, body = {}) {
    const reply = await fetch(this.origin + path, {
      method,
      headers: {
        Authorization: `Bearer ${this.token}`,
        'Content-Type': 'application/json',
        [`x-${WORD}-orgid`]: this.ids.org ?? '',
      },
      ...(method === 'GET' ? {} : { body: JSON.stringify(body) }),
    });
    if (!reply.ok) throw new Error(`${method} ${path} answered ${reply.status}: ${await reply.text()}`);
    return reply.json();
  }

  /** Objects that the examples read as data of others. */
  async furnish() {
    const management = '/management/v1';
    this.ids.org = (await this.call('POST', `${management}/orgs`, { name: 'Examples' })).id;
    this.ids.granted_org = (await this.call('POST', `${management}/orgs`, { name: 'Granted' })).id;
    this.ids.project = (await this.call('POST', `${management}/projects`, { name: 'Examples' })).id;
    await this.call('POST', `${management}/projects/${this.ids.project}/roles`, {
      roleKey: 'super-user',
      displayName: 'Super user',
    });
    this.ids.human_user = (
      await this.call('POST', `${management}/users/human`, {
        userName: 'example',
        profile: { firstName: 'Exa', lastName: 'Mple' },
        email: { email: 'example@example.test', isEmailVerified: true },
      })
    ).userId;
    this.ids.machine_user = (
      await this.call('POST', `${management}/users/machine`, { userName: 'machine', name: 'Machine' })
    ).userId;
    this.ids.application_api = (
      await this.call('POST', `${management}/projects/${this.ids.project}/apps/api`, {
        name: 'Api',
        authMethodType: 'API_AUTH_METHOD_TYPE_PRIVATE_KEY_JWT',
      })
    ).appId;
    this.ids.organization = this.ids.org;
    this.ids.other_project = (await this.call('POST', `${management}/projects`, { name: 'Roles' })).id;
    this.ids.project_grant = (
      await this.call('POST', `${management}/projects/${this.ids.project}/grants`, {
        grantedOrgId: (await this.call('POST', `${management}/orgs`, { name: 'Granted as well' })).id,
        roleKeys: ['super-user'],
      })
    ).grantId;
    for (const kind of ['idp_google', 'idp_azure_ad', 'org_idp_google', 'org_idp_azure_ad'])
      this.ids[kind] = await this.addProvider(kind);
  }

  async addProvider(kind) {
    const place = kind.startsWith('org_') ? '/management/v1' : '/admin/v1';
    const [vendor, more] = kind.endsWith('google')
      ? ['google', {}]
      : ['azure', { tenant: { tenantType: 'AZURE_AD_TENANT_TYPE_ORGANISATIONS' } }];
    const provider = { name: kind, clientId: 'id', clientSecret: 'secret', scopes: ['openid'], ...more };
    return (await this.call('POST', `${place}/idps/${vendor}`, provider)).id;
  }

  /** @returns what went wrong; undefined if nothing did */
  async tryExample(name) {
    if (/smtp/.test(name)) await this.allowSenders();
    const folder = join(this.folder, name);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'main.tf'), `${this.provider()}\n${this.resolved(name)}`);
    const steps = [
      ['apply', ['apply', '-auto-approve', '-no-color', '-input=false']],
      ['drift', ['plan', '-detailed-exitcode', '-no-color', '-input=false', '-lock=false']],
    ];
    let problem;
    for (const [step, args] of steps) {
      problem ??= await this.terraform(args, folder).then(
        () => undefined,
        ({ message }) => `${step}: ${essence(message)}`,
      );
    }
    const left = await this.terraform(['destroy', '-auto-approve', '-no-color', '-input=false'], folder).then(
      () => undefined,
      ({ message }) => `destroy: ${essence(message)}`,
    );
    return problem ?? left;
  }

  terraform(args, folder) {
    return this.machine.execute('terraform', args, folder, {
      TF_CLI_CONFIG_FILE: this.config,
      CHECKPOINT_DISABLE: '1',
    });
  }

  provider() {
    return `terraform {
  required_providers {
    ${WORD} = { source = "${WORD}/${WORD}" }
  }
}
provider "${WORD}" {
  domain       = "127.0.0.1"
  insecure     = true
  port         = "${this.port}"
  access_token = "${this.token}"
}
`;
  }

  /** An example before has left behind that senders of e-mails are of our host, which those of the examples are not. */
  async allowSenders() {
    const { policy } = await this.call('GET', '/admin/v1/policies/domain');
    if (!policy.smtpSenderAddressMatchesInstanceDomain) return;
    await this.call('PUT', '/admin/v1/policies/domain', { ...policy, smtpSenderAddressMatchesInstanceDomain: false });
  }

  /** Pictures and a key in place of those that the examples do not bring, and no fonts, which are not taken. */
  ourFiles(text) {
    const key = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ type: 'pkcs8', format: 'pem' });
    const plain = text
      .replace(/^ *font_(hash|path).*\n/gm, '')
      .replace(/(private_key\s*=\s*)"[^"]*"/, (_, before) => before + JSON.stringify(key));
    return plain.replace(/"\/path\/to\/([\w.]+)"/g, (_, file) => {
      const path = join(this.folder, file);
      writeFileSync(path, PICTURE);
      return JSON.stringify(path);
    });
  }

  /** The example with ids of ours in place of what it does not declare itself. */
  resolved(name) {
    const text = this.ourFiles(readFileSync(join(EXAMPLES, `${name}.tf`), 'utf8'));
    const others = new Set([...text.matchAll(/(?<!data\.)\bzitadel_(\w+)\.default\.\w+/g)].map(([, kind]) => kind));
    const missing = [...others].filter((kind) => !text.includes(`resource "${WORD}_${kind}" "default"`));
    return text
      .replaceAll('"123456789012345678"', JSON.stringify(this.ids[OF_NO_DATA[name]] ?? '1'))
      .replace(/data\.zitadel_(\w+)\.(\w+)\.id/g, (whole, kind, label) => {
        if (name === 'project_role' && kind === 'project') return JSON.stringify(this.ids.other_project);
        const id = this.ids[label === 'default' ? kind : label];
        return id === undefined ? whole : JSON.stringify(id);
      })
      .replace(/\bzitadel_(\w+)\.default\.id/g, (whole, kind) =>
        missing.includes(kind) && this.ids[kind] !== undefined ? JSON.stringify(this.ids[kind]) : whole,
      );
  }
}

/** The lines of an error that say something. */
function essence(text) {
  const lines = text
    .split('\n')
    .map((line) => line.replace(/^[│╷╵\s]+/, '').trim())
    .filter((line) => /^Error|desc =|must be|rpc error|[~+-] .*=|Unsupported|Invalid|unknown/.test(line));
  return (lines.length > 0 ? lines : text.split('\n')).slice(0, 4).join(' | ').slice(0, 400);
}
