import { type AdminApi, type Page, RelyingParty, startWorld, type TestClient, type World } from 'gatehouse/testing';
import ldap from '../../src/ldap.extension.js';
import { BASE, type LdapStandIn, SERVICE } from './ldap-stand-in.js';

export const START = '/ui/login/login/externalidp';

/** Settings of a provider at the stand-in, where passwords do not leave this machine. */
export function settingsAt(port: number, over: object = {}): Record<string, unknown> {
  return {
    servers: [`ldap://127.0.0.1:${port}`],
    bindDn: SERVICE.dn,
    bindPassword: SERVICE.password,
    userBase: BASE,
    userFilters: ['uid', 'mail'],
    emailAttribute: 'mail',
    isEmailVerified: true,
    ...over,
  };
}

export async function startLdapWorld(): Promise<World> {
  return startWorld({ extensions: [ldap], env: { OUTBOUND_ALLOW: '127.0.0.0/8' }, loginLimits: 'on' });
}

/** An administrator, and an application at which people sign in by directories. */
export class LdapStage {
  private count = 0;

  private constructor(
    readonly world: World,
    readonly admin: AdminApi,
    readonly client: TestClient,
  ) {}

  static async set(world: World): Promise<LdapStage> {
    world.plant(SERVICE.password);
    return new LdapStage(world, await world.manager(['IAM_OWNER']), await world.add.application());
  }

  async add(settings: object): Promise<{ id: string; parts: ReadonlyArray<{ ok: boolean; detail: string }> }> {
    this.count += 1;
    const added = await this.admin.call<{ id: string; parts: ReadonlyArray<{ ok: boolean; detail: string }> }>(
      'POST',
      '/admin/v1/idps/extension',
      {
        name: `Directory ${this.count}`,
        kind: 'ext:ldap',
        settings,
        providerOptions: { isLinkingAllowed: true, isCreationAllowed: true, isAutoCreation: true },
      },
    );
    await this.world.changesToArrive();
    return added;
  }

  /** A provider at a stand-in. */
  async at(standIn: LdapStandIn, over: object = {}): Promise<string> {
    return (await this.add(settingsAt(standIn.port, over))).id;
  }

  party(): RelyingParty {
    return new RelyingParty(this.world, this.client);
  }

  async page(id: string, party: RelyingParty): Promise<Page> {
    const { page } = await party.authorize();
    const request = page!.formWith('authRequestID').fields['authRequestID']!;
    const query = new URLSearchParams({ authRequestID: request, idpConfigID: id });
    return (await party.browser.get(`${START}?${query.toString()}`)).page!;
  }

  /** What comes of a name and a password: the subject of the account, or the status and the errors of the page. */
  async try(id: string, loginName: string, password: string): Promise<string> {
    const party = this.party();
    const page = await this.page(id, party);
    try {
      let arrival = await party.browser.submit(page, { loginName, password });
      if (arrival.page?.find('button[name="factor"][value="skip"]'))
        arrival = await party.browser.submit(arrival.page, { factor: 'skip' });
      const code = new URL(arrival.redirect ?? 'none:').searchParams.get('code');
      if (code === null) return `${arrival.page?.status} ${arrival.page?.find('.notice-error')?.text ?? ''}`;
      const tokens = (await party.redeem(code)).json<{ access_token: string }>();
      return (await party.userinfo(tokens.access_token)).json<{ sub: string }>().sub;
    } catch (error) {
      // A browser of these tests takes no 5xx for an answer.
      const [, status] = /answered (5\d\d)/.exec(String(error)) ?? [];
      if (status === undefined) throw error;
      return status;
    }
  }
}
