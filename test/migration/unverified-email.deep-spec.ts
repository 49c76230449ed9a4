import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { convertKeycloak } from '../../src/migration/convert/keycloak/keycloak.js';
import { USUAL_PEOPLE } from '../../src/migration/convert/people-settings.js';
import { Report } from '../../src/migration/convert/report.js';
import { pageOf } from '../login/turns.js';
import { type AdminApi, callerWith, type Json } from '../support/admin-api.js';
import { mailsTo } from '../support/mails.js';
import { RelyingParty } from '../support/relying-party.js';
import { startWorld } from '../support/world.js';

const PASSWORD = 'Correct-Horse-7';
const CONFIRM = 'Confirm your e-mail address';

const folder = mkdtempSync(join(tmpdir(), 'gatehouse-unverified-'));
const world = await startWorld();
let api: AdminApi;
let client: RelyingParty;
let count = 0;

/** A realm with one person whose address Keycloak never verified but who could sign in; imported here. */
class Moved {
  readonly n = (count += 1);
  readonly id = `moved-${this.n}`;
  readonly loginName = `ilse-${this.n}`;
  readonly email = `ilse-${this.n}@keycloak.test`;
  readonly orgId = `realm-${this.n}`;
  document: Json = {};

  async come(realm: Json = {}): Promise<this> {
    const path = join(folder, `${this.orgId}.json`);
    const user = {
      id: this.id,
      username: this.loginName,
      email: this.email,
      emailVerified: false,
      credentials: [{ type: 'password', value: PASSWORD }],
    };
    writeFileSync(
      path,
      JSON.stringify({
        id: this.orgId,
        realm: this.orgId,
        enabled: true,
        resetPasswordAllowed: true,
        users: [user],
        ...realm,
      }),
    );
    let text = '';
    for await (const piece of convertKeycloak(
      { paths: [path], realms: [], people: USUAL_PEOPLE },
      new Report('keycloak'),
    ))
      text += piece;
    this.document = JSON.parse(text);
    await api.call('POST', '/admin/v1/import', { data_orgs: this.document });
    return this;
  }

  /** The title of the page that asks for something more, or undefined when the request is answered. */
  async signIn(loginName = this.loginName): Promise<string | undefined> {
    const browser = client.elsewhere();
    const arrival = await browser.enter(await browser.authorize(), { loginName, password: PASSWORD });
    return arrival.page === undefined ? undefined : pageOf(arrival).title;
  }
}

beforeAll(async () => {
  world.plant(PASSWORD);
  api = (await callerWith(world, await world.add.org(), ['IAM_OWNER'])).api;
  client = new RelyingParty(world, await world.cast.web1);
});
beforeEach(() => world.clock.advance('1m'));
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await world.close();
});

describe('A user who could sign in to another service with an address that was never verified', () => {
  it('signs in here as well, and applications learn that the address is not verified', async () => {
    const { id, orgId, email, loginName } = await new Moved().come();
    const browser = client.elsewhere();
    const tokens = await browser.tokens(
      { id, orgId, email, loginName, userName: loginName, password: PASSWORD },
      { scope: 'openid email' },
    );
    expect((await browser.userinfo(tokens.access_token)).json()).toMatchObject({
      sub: id,
      email,
      email_verified: false,
    });
    expect(await mailsTo(world, email)).toEqual([]);
  });

  it('is not found by that address, which may belong to another person', async () => {
    const moved = await new Moved().come();
    expect(await moved.signIn(moved.email)).toBeDefined();
  });

  it('must verify the address if the other service required that', async () => {
    const moved = await new Moved().come({ verifyEmail: true });
    expect(await moved.signIn()).toContain(CONFIRM);
  });

  it.each([
    ['changes', (moved: Moved) => `other-${moved.n}@keycloak.test`],
    ['is set once more', (moved: Moved) => moved.email],
  ])('must verify it once it %s', async (_, addressOf) => {
    const moved = await new Moved().come();
    const { api: owner } = await callerWith(world, { ...(await world.cast.orgA), id: moved.orgId }, ['ORG_OWNER']);
    await owner.call('PUT', `/management/v1/users/${moved.id}/email`, { email: addressOf(moved) });
    expect(await moved.signIn()).toContain(CONFIRM);
  });

  it('moves with the organization to another instance, and is recognized when the same document is imported twice', async () => {
    const moved = await new Moved().come();
    const { orgs } = await api.call('POST', '/admin/v1/export', { orgIds: [moved.orgId], withPasswords: true });
    expect(orgs[0].humanUsers[0].user.email).toEqual({ email: moved.email, mayStayUnverified: true });
    expect((await api.call('POST', '/admin/v1/import', { data_orgs: moved.document }))['errors']).toEqual([]);
  });
});
