import { IDP_KIND, type IdpKind } from '../../../idp/idp-kind.js';
import { paths } from '../../../org/instance/paths.js';
import { type AdminApi, callerWith } from '../admin-api.js';
import type { TestClient } from '../builders.js';
import { type Parameters, type Reply, send, toQuery } from '../http.js';
import { answerOf, RelyingParty } from '../relying-party.js';
import type { World } from '../world.js';
import { broken, partOf, requireSame } from './contract.js';

/** Who has an account at the stand-in of a provider. @public */
export interface ProviderAccount {
  /** Digits, as every provider can have them; never the same for two accounts. */
  readonly subject: string;
  readonly userName: string;
  readonly email: string;
  /** Whether the provider has verified the address. */
  readonly emailVerified: boolean;
}

/** How the stand-in of a provider misbehaves, from the exchange of the code on. @public */
export type ProviderMisbehaviour =
  /** It refuses, or lets in and then answers with an error. */
  | 'error'
  /** It takes requests and answers none. */
  | 'silence'
  /** It redirects to another address. */
  | 'redirect'
  /** What would be the right answer has two megabytes. */
  | 'two megabytes'
  /** It does not say who the user is. */
  | 'no subject'
  /** The user is a list, or an object. */
  | 'an odd subject';

/** @public */
export interface IdpKindContractInput {
  /** The kind: `ext:github`. */
  readonly kind: string;
  /** The settings of a provider at the stand-in, as an administrator enters them. */
  readonly settings: Readonly<Record<string, unknown>>;
  readonly clientId: string;
  /** Empty if providers of the kind have none. */
  readonly clientSecret: string;
  /**
   * The user has signed in at the stand-in, where the browser was sent: the parameters with which it comes back, in a
   * form if the kind reads messages (`IdpKind.message`). Throws if the address is not one that the provider would
   * serve.
   */
  readonly answerTo: (url: string, user: ProviderAccount) => Readonly<Record<string, string>>;
  /** What the kind takes for the subject of an account, where it is more than the subject of the stand-in. */
  readonly subjectOf?: (user: ProviderAccount) => string;
  /** Undefined: properly again. Without it, the kind calls no provider when the browser is back. */
  readonly misbehave?: (how: ProviderMisbehaviour | undefined) => void;
  /** How many requests the stand-in has had. */
  readonly requests?: () => number;
}

let count = 0;

/** An account that is a different one at each call. */
export function somebody(over: Partial<ProviderAccount> = {}): ProviderAccount {
  count += 1;
  const name = `somebody${count}`;
  return { subject: String(70_000 + count), userName: name, email: `${name}@mail.test`, emailVerified: true, ...over };
}

/** A sign-in that has got as far as the provider. */
export interface Away {
  readonly party: RelyingParty;
  readonly providerId: string;
  /** The address to which the browser was sent. */
  readonly url: string;
}

/** The kind, an administrator who adds providers of it, and an application at which users sign in. */
export class KindStage {
  private constructor(
    readonly world: World,
    readonly input: IdpKindContractInput,
    readonly part: IdpKind,
    readonly name: string,
    readonly admin: AdminApi,
    readonly client: TestClient,
  ) {}

  static async set(world: World, input: IdpKindContractInput): Promise<KindStage> {
    const { part, name } = partOf(world, IDP_KIND, ({ kind }) => kind === input.kind, `the kind ${input.kind}`);
    const { api } = await callerWith(world, await world.add.org(), ['IAM_OWNER']);
    if (input.clientSecret !== '') world.plant(input.clientSecret);
    return new KindStage(world, input, part, name, api, await world.add.application());
  }

  /** A provider of the instance, where users get accounts unless it says otherwise. */
  async provider(over: object = {}): Promise<string> {
    count += 1;
    const { kind, settings, clientId, clientSecret } = this.input;
    const { id } = await this.admin.call<{ id: string }>('POST', '/admin/v1/idps/extension', {
      name: `Provider ${count}`,
      kind,
      settings,
      clientId,
      clientSecret,
      providerOptions: { isLinkingAllowed: true, isCreationAllowed: true, isAutoCreation: true },
      ...over,
    });
    await this.world.changesToArrive();
    return id;
  }

  party(world: World = this.world): RelyingParty {
    return new RelyingParty(world, this.client);
  }

  /** As far as the provider. @throws ContractBroken if the browser is not sent there */
  async leave(providerId: string, party = this.party()): Promise<Away> {
    const { page } = await party.authorize();
    const authRequestID = page?.formWith('authRequestID').fields['authRequestID'];
    const path = `${paths.externalStart}?${toQuery({ authRequestID, idpConfigID: providerId })}`;
    const { status, location } = await visit(party, path);
    if (location === undefined)
      return broken(`${this.name}.authorizationUrl sends browsers nowhere: they get a page with ${status}.`);
    return { party, providerId, url: location };
  }

  async away(over: object = {}): Promise<Away> {
    return this.leave(await this.provider(over));
  }

  /** What the stand-in answers to a browser. @throws ContractBroken if it does not serve the address */
  answerTo({ url }: Away, user: ProviderAccount): Readonly<Record<string, string>> {
    try {
      return this.input.answerTo(url, user);
    } catch (error) {
      return broken(`The provider does not serve where ${this.name} sends browsers, ${url}: ${String(error)}`);
    }
  }

  /** The account of a user who comes back from the provider; it is whose ID token the application gets. */
  async signIn(away: Away, user: ProviderAccount, when: string): Promise<Readonly<Record<string, unknown>>> {
    const { party, providerId } = away;
    const answer = this.answerTo(away, user);
    const onward = this.part.message ? await this.post(providerId, answer) : undefined;
    let arrival = await party.browser.get(onward?.location ?? callback(providerId, answer));
    if (arrival.page?.find('button[name="factor"][value="skip"]'))
      arrival = await party.browser.submit(arrival.page, { factor: 'skip' });
    const code = arrival.redirect === undefined ? undefined : answerOf(arrival.redirect)['code'];
    if (code === undefined)
      return broken(
        `${when}, the application gets no code: ${arrival.page ? `${arrival.page.status} ${arrival.page.text.slice(0, 200)}` : arrival.redirect}`,
      );
    const { id_token: idToken, access_token: accessToken } = (await party.redeem(code)).json<{
      id_token: string;
      access_token: string;
    }>();
    const { sub } = await party.verify(idToken);
    const userinfo = (await party.userinfo(accessToken)).json<Record<string, unknown>>();
    requireSame(userinfo['sub'], sub, `${when}, the user of the access token`);
    return userinfo;
  }

  async accounts(): Promise<number> {
    const [row] = await this.world.sql<{ n: number }>`SELECT count(*)::int AS n FROM user_account`;
    return row!.n;
  }

  /** The name of the parameter with the state. */
  get stateName(): string {
    return this.part.message?.state ?? 'state';
  }

  /** The browser returns from the provider, to the callback of its own. */
  async back({ party, providerId }: Away, answer: Parameters): Promise<Pick<Reply, 'status' | 'location'>> {
    if (!this.part.message) return visit(party, callback(providerId, answer));
    const onward = await this.post(providerId, answer);
    return onward.location === undefined ? onward : visit(party, onward.location);
  }

  /** The form of another site, with which browsers send no cookie. */
  private async post(providerId: string, answer: Parameters): Promise<Pick<Reply, 'status' | 'location'>> {
    return send(this.world.origin, {
      method: 'POST',
      path: callback(providerId, {}),
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      body: toQuery(answer),
    });
  }

  /** That a return signs nobody in and makes no account. */
  async refuses(away: Away, answer: Parameters, status: number, when: string): Promise<void> {
    const before = await this.accounts();
    const reply = await this.back(away, answer);
    requireSame(reply.status, status, `${when}, the status of the page`);
    requireSame(await this.accounts(), before, `${when}, the number of accounts`);
    const { redirect } = await away.party.authorize({ prompt: 'none' });
    requireSame(redirect && answerOf(redirect)['error'], 'login_required', `${when}, what prompt=none answers`);
  }
}

/** One request of the browser, which may be answered with a failure of the provider. */
export async function visit({ browser }: RelyingParty, path: string): Promise<Pick<Reply, 'status' | 'location'>> {
  return browser.request('GET', path).catch((error: Error) => {
    // A browser of these tests takes no 5xx for an answer.
    const [, status] = /answered (5\d\d)/.exec(error.message) ?? [];
    if (status === undefined) throw error;
    return { status: Number(status), location: undefined };
  });
}

function callback(id: string, answer: Parameters): string {
  const query = toQuery(answer);
  return `${paths.externalCallback}/${id}${query === '' ? '' : `?${query}`}`;
}
