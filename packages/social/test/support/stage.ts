import { type Page, type ProviderAccount, startWorld, type World } from 'gatehouse/testing';
import { exportPKCS8, generateKeyPair } from 'jose';
import { LOCAL, socialAt } from './social-world.js';
import { CLIENT_ID, CLIENT_SECRET, KEY_ID, TEAM_ID, TENANT, type Vendor, Vendors } from './vendors.js';

type Party = ReturnType<World['party']>;
type Admin = Awaited<ReturnType<World['manager']>>;

const START = '/ui/login/login/externalidp';
const CALLBACK = '/ui/login/login/externalidp/callback';

let count = 0;

/** Somebody who is another one at each call. */
export function somebody(over: Partial<ProviderAccount> = {}): ProviderAccount {
  count += 1;
  const userName = `social${count}`;
  return { subject: String(41_000 + count), userName, email: `${userName}@mail.test`, emailVerified: true, ...over };
}

export interface Linked {
  readonly userId: string;
  readonly subject: string;
  readonly email: string;
  readonly emailVerified: boolean;
  readonly firstName: string;
  readonly lastName: string;
}

/** Gatehouse with the extension, the vendors, and an owner of the instance who adds providers. */
export class Stage {
  private constructor(
    readonly world: World,
    readonly vendors: Vendors,
    readonly admin: Admin,
    readonly party: Party,
    private readonly appleKey: string,
  ) {}

  static async set(): Promise<Stage> {
    const signing = await generateKeyPair('ES256', { extractable: true });
    const held: { world?: World } = {};
    const vendors = await Vendors.start(signing.publicKey, () => held.world?.clock.now() ?? new Date());
    const places = { google: vendors.at('google'), apple: vendors.at('apple') };
    const world = await startWorld({ extensions: [socialAt(places)], env: LOCAL });
    held.world = world;
    const appleKey = await exportPKCS8(signing.privateKey);
    for (const secret of [CLIENT_SECRET, appleKey]) world.plant(secret);
    const admin = await world.manager(['IAM_OWNER']);
    return new Stage(world, vendors, admin, world.party(await world.add.application()), appleKey);
  }

  async close(): Promise<void> {
    await this.world.close();
    await this.vendors.close();
  }

  /** A provider of the instance; answers its id. */
  async add(vendor: Vendor, settings: object = {}, over: object = {}): Promise<string> {
    count += 1;
    const added = await this.admin.call<{ id: string; state: string }>('POST', '/admin/v1/idps/extension', {
      name: `${vendor} ${count}`,
      kind: `ext:social-${vendor}`,
      clientId: CLIENT_ID,
      clientSecret: CLIENT_SECRET,
      settings: { ...this.settingsOf(vendor), ...settings },
      providerOptions: { isLinkingAllowed: true, isCreationAllowed: true, isAutoCreation: true },
      ...over,
    });
    await this.world.changesToArrive();
    return added.id;
  }

  /** A browser that has never been here. */
  elsewhere(): Party {
    return this.party.elsewhere();
  }

  /** The first page of a sign-in. */
  async firstPage(party: Party): Promise<Page> {
    const { page } = await party.authorize();
    if (!page) throw new Error('The sign-in begins with no page.');
    return page;
  }

  /** As far as the provider: the address to which the browser is sent. */
  async leave(party: Party, id: string): Promise<string> {
    const page = await this.firstPage(party);
    const requestId = page.formWith('authRequestID').fields['authRequestID'] ?? '';
    const query = new URLSearchParams({ authRequestID: requestId, idpConfigID: id });
    const { location, status } = await party.browser.request('GET', `${START}?${query}`);
    if (location === undefined) throw new Error(`The browser was not sent to the provider, but got ${status}.`);
    return location;
  }

  /** The status of the answer to a browser that returns. */
  async comeBack(party: Party, id: string, answer: Readonly<Record<string, string>>): Promise<number> {
    return statusOf(party.browser.request('GET', `${CALLBACK}/${id}?${new URLSearchParams(answer)}`));
  }

  /** To the provider and back; answers the status. */
  async visit(id: string, account: ProviderAccount, over: Readonly<Record<string, unknown>> = {}): Promise<number> {
    const party = this.elsewhere();
    const answer = this.vendors.answerTo(await this.leave(party, id), account, over);
    return this.comeBack(party, id, answer);
  }

  /** The vendor answers by form, from its own site: without our cookie, which comes with the redirect alone. */
  async comeBackByForm(
    party: Party,
    id: string,
    form: Readonly<Record<string, string>>,
  ): Promise<{ readonly status: number; readonly address: string }> {
    const stranger = this.world.browser();
    const { status, location } = await stranger.request('POST', `${CALLBACK}/${id}`, form);
    if (status !== 303 || location === undefined) return { status, address: '' };
    return { status: await statusOf(party.browser.request('GET', location)), address: location };
  }

  /** Who is linked with an account at the provider. */
  async linked(id: string): Promise<Linked[]> {
    return this.world.sql<Linked & object>`
      SELECT l.user_id AS "userId", l.external_user_id AS subject, u.email, u.email_verified AS "emailVerified",
        u.first_name AS "firstName", u.last_name AS "lastName"
      FROM idp_link l JOIN user_account u ON u.id = l.user_id
      WHERE l.idp_id = ${id} ORDER BY l.creation_date, l.external_user_id`;
  }

  private settingsOf(vendor: Vendor): object {
    const base = this.vendors.at(vendor);
    const settings: Readonly<Record<Vendor, object>> = {
      google: {},
      entra: { base, tenants: [TENANT] },
      github: { base },
      gitlab: { base },
      apple: { teamId: TEAM_ID, keyId: KEY_ID, privateKey: this.appleKey },
      oauth: {
        authorizationEndpoint: `${base}/authorize`,
        tokenEndpoint: `${base}/token`,
        userEndpoint: `${base}/me`,
        idAttribute: 'id',
        userNameAttribute: 'login',
        emailAttribute: '/mail/address',
      },
    };
    return settings[vendor];
  }
}

/** A browser of these tests takes no 5xx for an answer. */
async function statusOf(reply: Promise<{ readonly status: number }>): Promise<number> {
  return reply.then(
    ({ status }) => status,
    (error: Error) => Number(/answered (5\d\d)/.exec(error.message)?.[1]),
  );
}
