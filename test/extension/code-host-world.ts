import { Injectable, Module } from '@nestjs/common';
import { Count, Flag, Text, Texts } from '../../src/admin/kit/wire/fields.js';
import { defineExtension } from '../../src/foundation/extension/extension.js';
import { provide } from '../../src/foundation/extension/seam.js';
import { Timeouts } from '../../src/foundation/time/timeouts.js';
import {
  IDP_KIND,
  IdpAnswerRefused,
  type IdpHttp,
  type IdpIdentity,
  type IdpKind,
  type IdpLeaving,
  type IdpReturn,
} from '../../src/idp/idp-kind.js';
import { paths } from '../../src/org/instance/paths.js';
import { OUTBOUND } from '../idp/external.js';
import { type AdminApi, callerWith } from '../support/admin-api.js';
import type { TestOrg } from '../support/builders.js';
import { CODE_HOST_CLIENT, CODE_HOST_SECRET, CodeHost } from '../support/code-host.js';
import { type Parameters, toQuery } from '../support/http.js';
import type { RelyingParty } from '../support/relying-party.js';
import { startWorld, type World } from '../support/world.js';

/** Among the settings of a provider. */
export const SETTING_SECRET = 'second-secret-of-the-host-77';

export class HostSettings {
  @Text(1, { min: 1, max: 200, description: 'Where the host is.', example: 'https://code.example.com' })
  readonly base!: string;

  @Text(2, { max: 200, writeOnly: true, description: 'Signs what is sent there.' })
  readonly signingSecret!: string;

  @Texts(3, { maxItems: 3 })
  readonly teams!: readonly string[];

  @Flag(4)
  readonly isStrict!: boolean;

  @Count(5, { max: 9 })
  readonly depth!: number;
}

/** A code host as `examples/github` reads it. */
@Injectable()
export class HostKind implements IdpKind<HostSettings> {
  static seen: HostSettings | undefined;
  readonly kind = 'ext:host';
  readonly settings = HostSettings;
  readonly mark: string = '<svg viewBox="0 0 8 8"><circle cx="4" cy="4" r="3" fill="#123456"/></svg>';
  readonly formFields: readonly string[] = ['team'];

  authorizationUrl({ settings, clientId, callbackUrl, state, codeChallenge }: IdpLeaving<HostSettings>): string {
    HostKind.seen = settings;
    return `${settings.base}/login/oauth/authorize?${new URLSearchParams({
      client_id: clientId,
      redirect_uri: callbackUrl,
      state,
      code_challenge: codeChallenge,
      code_challenge_method: 'S256',
    }).toString()}`;
  }

  async redeem(back: IdpReturn<HostSettings>, http: IdpHttp): Promise<IdpIdentity> {
    const form = {
      client_id: back.clientId,
      client_secret: back.clientSecret,
      redirect_uri: back.callbackUrl,
      code: back.code,
      code_verifier: back.codeVerifier,
    };
    const exchanged = await http.send({ url: `${back.settings.base}/login/oauth/access_token`, form });
    const { access_token: token, error } = exchanged.json<{ access_token?: string; error?: string }>();
    if (token === undefined) throw new IdpAnswerRefused(error);
    const headers = { Authorization: `Bearer ${token}` };
    const ask = async <T>(path: string): Promise<T> => {
      const reply = await http.send({ url: `${back.settings.base}/api/v3${path}`, headers });
      if (reply.status !== 200) throw new Error(`status ${reply.status}`);
      return reply.json<T>();
    };
    const { id, login } = await ask<{ id: unknown; login: string }>('/user');
    const [first] = await ask<Array<{ email: string; verified: boolean }>>('/user/emails');
    return {
      subject: (typeof id === 'number' ? String(id) : id) as string,
      preferredUserName: login,
      ...(first ? { email: first.email, emailVerified: first.verified } : {}),
    };
  }
}

/** A kind that does whatever a test wants. */
@Injectable()
export class HostileKind implements IdpKind {
  static does: { [Name in 'authorizationUrl' | 'redeem']?: (...given: never[]) => unknown } = {};
  readonly kind = 'ext:hostile-one';
  readonly settings = class {};
  readonly formFields = ['user', 'note'];

  authorizationUrl(...given: unknown[]): string {
    const plain = ({ state }: IdpLeaving) => `https://elsewhere.example/?state=${state}`;
    return (HostileKind.does.authorizationUrl ?? plain)(...(given as never[])) as string;
  }

  async redeem(...given: unknown[]): Promise<IdpIdentity | undefined> {
    return (await HostileKind.does.redeem?.(...(given as never[]))) as IdpIdentity;
  }
}

@Module({ providers: [HostKind] })
export class HostModule {}

@Module({ providers: [HostileKind] })
class HostileModule {}

/** Of the manifests of extensions that may be absent. */
export const base = { version: '1.0.0', gatehouse: '>=0.1.0', required: false };
export const host = defineExtension({
  ...base,
  id: 'host',
  module: HostModule,
  provides: [provide(IDP_KIND, HostKind)],
});
export const hostile = defineExtension({
  ...base,
  id: 'hostile',
  module: HostileModule,
  provides: [provide(IDP_KIND, HostileKind)],
});

const LIMITS = new Timeouts(1_000, 1_500);

/** What adding a provider answers. */
export interface Added {
  readonly id: string;
  readonly callbackUrl: string;
  readonly state: string;
  readonly parts: ReadonlyArray<{ part: string; ok: boolean; detail: string }>;
}

/** A code host, a service with both kinds, and an owner of the instance who adds providers. */
export class CodeHostWorld {
  private count = 0;

  private constructor(
    readonly code: CodeHost,
    readonly world: World,
    readonly org: TestOrg,
    readonly admin: AdminApi,
  ) {}

  static async start(): Promise<CodeHostWorld> {
    const code = await CodeHost.start();
    const world = await startWorld({ extensions: [host, hostile], env: OUTBOUND, timeouts: LIMITS });
    for (const secret of [CODE_HOST_SECRET, SETTING_SECRET]) world.plant(secret);
    const org = await world.add.org('kinds.test');
    return new CodeHostWorld(code, world, org, (await callerWith(world, org, ['IAM_OWNER'])).api);
  }

  async close(): Promise<void> {
    await this.code.close();
    await this.world.close();
  }

  body(over: object = {}): Record<string, unknown> {
    this.count += 1;
    return {
      name: `Code host ${this.count}`,
      kind: 'ext:host',
      clientId: CODE_HOST_CLIENT,
      clientSecret: CODE_HOST_SECRET,
      settings: { base: this.code.base, signingSecret: SETTING_SECRET, teams: ['a'], depth: 2 },
      ...over,
    };
  }

  /** A provider of the instance. */
  async add(over: object = {}): Promise<Added> {
    const added = await this.admin.call<Added>('POST', '/admin/v1/idps/extension', this.body(over));
    await this.world.changesToArrive();
    return added;
  }

  /** @returns the id of a provider of the hostile kind */
  async hostileProvider(): Promise<string> {
    const options = {
      settings: {},
      clientSecret: '',
      providerOptions: { isLinkingAllowed: true, isCreationAllowed: true, isAutoCreation: true },
    };
    return (await this.add({ kind: 'ext:hostile-one', ...options })).id;
  }
}

/** The status of the page to which a browser returns. */
export async function statusOf(party: RelyingParty, id: string, answer: Parameters): Promise<number> {
  return party.browser.request('GET', `${paths.externalCallback}/${id}?${toQuery(answer)}`).then(
    ({ status }) => status,
    // A browser of these tests takes no 5xx for an answer.
    (error: Error) => Number(/answered (\d+)/.exec(error.message)?.[1]),
  );
}
