import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { skipWithout } from './steps.mjs';

const here = (name) => new URL(name, import.meta.url).pathname;
const GO_LIBRARY = 'github.com/zitadel/zitadel-go/v3@v3.29.4';
const PYTHON_LIBRARY = 'zitadel-client==4.1.8';
const BUILD_LIMIT_MS = 900_000;

/** Programs that know the source by the libraries of its vendor. Only the address is another one. */
export class Clients {
  constructor(machine, origin, known) {
    Object.assign(this, { machine, origin, known, port: new URL(origin).port });
    this.folder = join(machine.folder, 'clients');
    mkdirSync(this.folder);
    const { api, privateKey, service } = known;
    this.serviceKey = this.keyFile('service.json', {
      type: 'serviceaccount',
      keyId: service.keyId,
      key: privateKey,
      userId: service.id,
    });
    this.apiKey = this.keyFile('api.json', {
      type: 'application',
      keyId: api.keyId,
      key: privateKey,
      appId: api.id,
      clientId: api.clientId,
    });
  }

  /** As the vendor's console gives it to be downloaded. */
  keyFile(name, key) {
    const file = join(this.folder, name);
    writeFileSync(file, JSON.stringify(key), { mode: 0o600 });
    return file;
  }

  /** @param users how many the organization has */
  async go(users) {
    skipWithout(isThere('go', 'version'), 'go is not installed');
    const folder = join(this.folder, 'go');
    mkdirSync(folder);
    copyFileSync(here('./users.go'), join(folder, 'users.go'));
    for (const args of [
      ['mod', 'init', 'trial'],
      ['get', GO_LIBRARY],
      ['mod', 'tidy'],
      ['build', '-o', 'users'],
    ])
      await this.run('go', args, folder);
    const { org, project, service, people } = this.known;
    const said = await this.run(join(folder, 'users'), [], folder, {
      SERVICE_PORT: this.port,
      SERVICE_KEY: this.serviceKey,
      API_KEY: this.apiKey,
      PROJECT_ID: project,
      USER_ID: people.password.id,
    });
    expectSaid(said, `org=${org} users=${users} user=${people.password.userName} asked=${service.id}`);
    return `zitadel-go: ${said.trim()}`;
  }

  async python(users) {
    skipWithout(isThere('python3', '-m', 'venv', '--help'), 'python3 with venv is not installed');
    const python = join(this.folder, 'python');
    await this.run('python3', ['-m', 'venv', python], this.folder);
    const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', PYTHON_LIBRARY];
    await this.run(join(python, 'bin/python'), pip, this.folder);
    const { service } = this.known;
    const said = await this.run(join(python, 'bin/python'), [here('./users.py')], this.folder, {
      SERVICE_URL: this.origin,
      CLIENT_ID: service.userName,
      CLIENT_SECRET: service.secret,
      SERVICE_KEY: this.serviceKey,
    });
    for (const way of ['secret', 'key']) expectSaid(said, `${way}: users=${users}`);
    return `zitadel-client: ${said.trim().replaceAll('\n', '; ')}`;
  }

  /** Five objects are known by their ids, and nothing about them would be changed. */
  async terraform() {
    const { PROVIDER } = process.env;
    skipWithout(isThere('terraform', 'version'), 'terraform is not installed');
    skipWithout(PROVIDER, 'PROVIDER does not name the provider');
    const folder = join(this.folder, 'terraform');
    mkdirSync(folder);
    copyFileSync(PROVIDER, join(folder, 'terraform-provider-zitadel'));
    copyFileSync(here('./moved.tf'), join(folder, 'moved.tf'));
    const settings = join(folder, 'terraform.rc');
    writeFileSync(
      settings,
      `provider_installation {\n  dev_overrides { "zitadel/zitadel" = "${folder}" }\n  direct {}\n}\n`,
    );
    const { org, project, web } = this.known;
    const variables = { port: this.port, key: this.serviceKey, org, project, app: web.id, client: web.clientId };
    const args = Object.entries(variables).flatMap(([name, value]) => ['-var', `${name}=${value}`]);
    const said = await this.run('terraform', ['plan', '-no-color', '-input=false', ...args], folder, {
      TF_CLI_CONFIG_FILE: settings,
      CHECKPOINT_DISABLE: '1',
    });
    const plan = /^Plan: .*$/m.exec(said)?.[0];
    if (plan !== 'Plan: 5 to import, 0 to add, 0 to change, 0 to destroy.') throw new Error(said);
    return plan;
  }

  run(program, args, folder, env = {}) {
    return this.machine.execute(program, args, folder, env, BUILD_LIMIT_MS);
  }
}

function isThere(program, ...args) {
  return spawnSync(program, args, { stdio: 'ignore' }).status === 0;
}

function expectSaid(said, expected) {
  if (!said.includes(expected)) throw new Error(`expected ${expected}, and it said: ${said}`);
}
