import { DIRECTORY_KIND } from '../../../idp/directory-kind.js';
import { paths } from '../../../org/instance/paths.js';
import { type AdminApi, callerWith } from '../admin-api.js';
import type { Arrival, Page } from '../browser.js';
import type { TestClient } from '../builders.js';
import { toQuery } from '../http.js';
import { answerOf, RelyingParty } from '../relying-party.js';
import type { World } from '../world.js';
import { broken, partOf, requireSame } from './contract.js';

/** Who is in the stand-in of a directory. @public */
export interface DirectoryPerson {
  readonly loginName: string;
  readonly password: string;
  readonly email: string;
}

/** How the stand-in of a directory misbehaves. @public */
export type DirectoryMisbehaviour =
  /** It takes connections and says nothing. */
  | 'silence'
  /** It closes each connection. */
  | 'closed connections'
  /** It answers with something that is not its protocol. */
  | 'noise';

/** @public */
export interface DirectoryKindContractInput {
  /** The kind: `ext:ldap`. */
  readonly kind: string;
  /** The settings of a provider at the stand-in, as an administrator enters them. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** Those of the settings that are secrets. */
  readonly secrets: readonly string[];
  readonly add: (person: DirectoryPerson) => void | Promise<void>;
  /** The person stays the same one, with another name. */
  readonly rename: (loginName: string, to: string) => void | Promise<void>;
  /** The person may no longer sign in, though the password stays. */
  readonly disable: (loginName: string) => void | Promise<void>;
  /** Undefined: properly again. */
  readonly misbehave: (how: DirectoryMisbehaviour | undefined) => void;
  /** How many connections the stand-in has had. */
  readonly connections: () => number;
}

let count = 0;

/** Somebody who is another person at each call. */
export function someone(): DirectoryPerson {
  count += 1;
  return { loginName: `someone${count}`, password: `the word of someone ${count}`, email: `someone${count}@mail.test` };
}

/** What a browser sees after it has sent a name and a password. */
export interface Seen {
  readonly status: number;
  /** The application gets a code. */
  readonly code?: string | undefined;
  readonly text: string;
}

/** The kind, an administrator who adds providers of it, and an application at which users sign in. */
export class DirectoryStage {
  private constructor(
    readonly world: World,
    readonly input: DirectoryKindContractInput,
    readonly name: string,
    readonly admin: AdminApi,
    readonly client: TestClient,
  ) {}

  static async set(world: World, input: DirectoryKindContractInput): Promise<DirectoryStage> {
    const { name } = partOf(world, DIRECTORY_KIND, ({ kind }) => kind === input.kind, `the kind ${input.kind}`);
    const { api } = await callerWith(world, await world.add.org(), ['IAM_OWNER']);
    for (const secret of input.secrets) world.plant(secret);
    return new DirectoryStage(world, input, name, api, await world.add.application());
  }

  /** A provider of the instance, where users get accounts unless it says otherwise. */
  async provider(over: object = {}): Promise<string> {
    count += 1;
    const { kind, settings } = this.input;
    const { id } = await this.admin.call<{ id: string }>('POST', '/admin/v1/idps/extension', {
      name: `Directory ${count}`,
      kind,
      settings,
      providerOptions: { isLinkingAllowed: true, isCreationAllowed: true, isAutoCreation: true },
      ...over,
    });
    await this.world.changesToArrive();
    return id;
  }

  party(world: World = this.world): RelyingParty {
    return new RelyingParty(world, this.client);
  }

  /** The page with name and password. @throws ContractBroken if there is none */
  async page(providerId: string, party = this.party()): Promise<Page> {
    const { page } = await party.authorize();
    const authRequestID = page?.formWith('authRequestID').fields['authRequestID'];
    const path = `${paths.externalStart}?${toQuery({ authRequestID, idpConfigID: providerId })}`;
    const arrival = await party.browser.get(path);
    if (arrival.page?.find('input[name="password"]')) return arrival.page;
    return broken(`The button of a provider of ${this.name} leads to no page that asks for a password.`);
  }

  async send(
    party: RelyingParty,
    page: Page,
    { loginName, password }: Pick<DirectoryPerson, 'loginName' | 'password'>,
  ): Promise<Seen> {
    try {
      return seen(await party.browser.submit(page, { loginName, password }));
    } catch (error) {
      // A browser of these tests takes no 5xx for an answer.
      const [, status] = /answered (5\d\d)/.exec(String(error)) ?? [];
      if (status === undefined) throw error;
      return { status: Number(status), text: '' };
    }
  }

  /** One try in a browser of its own. */
  async try(providerId: string, person: Pick<DirectoryPerson, 'loginName' | 'password'>, party = this.party()) {
    return this.send(party, await this.page(providerId, party), person);
  }

  /** What the application learns of somebody who signs in. */
  async signIn(
    providerId: string,
    person: Pick<DirectoryPerson, 'loginName' | 'password'>,
    when: string,
  ): Promise<Readonly<Record<string, unknown>>> {
    const party = this.party();
    const page = await this.page(providerId, party);
    let arrival = await party.browser.submit(page, { loginName: person.loginName, password: person.password });
    if (arrival.page?.find('button[name="factor"][value="skip"]'))
      arrival = await party.browser.submit(arrival.page, { factor: 'skip' });
    const { code, status, text } = seen(arrival);
    if (code === undefined) return broken(`${when}, the application gets no code: ${status} ${text.slice(0, 200)}`);
    const { access_token: accessToken } = (await party.redeem(code)).json<{ access_token: string }>();
    return (await party.userinfo(accessToken)).json<Record<string, unknown>>();
  }

  async accounts(): Promise<number> {
    const [row] = await this.world.sql<{ n: number }>`SELECT count(*)::int AS n FROM user_account`;
    return row!.n;
  }

  /** That a try signs nobody in and makes no account. */
  async refuses(
    providerId: string,
    person: Pick<DirectoryPerson, 'loginName' | 'password'>,
    status: number,
    when: string,
  ): Promise<Seen> {
    const before = await this.accounts();
    const party = this.party();
    const found = await this.try(providerId, person, party);
    requireSame(found.status, status, `${when}, the status of the page`);
    requireSame(await this.accounts(), before, `${when}, the number of accounts`);
    const { redirect } = await party.authorize({ prompt: 'none' });
    requireSame(redirect && answerOf(redirect)['error'], 'login_required', `${when}, what prompt=none answers`);
    return found;
  }
}

function seen({ page, redirect }: Arrival): Seen {
  const code = redirect === undefined ? undefined : answerOf(redirect)['code'];
  return { status: page?.status ?? 302, code, text: page?.text ?? '' };
}
