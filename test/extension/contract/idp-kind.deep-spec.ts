import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import { Injectable, Module } from '@nestjs/common';
import { Text } from '../../../src/admin/kit/wire/fields.js';
import { idpKindContract } from '../../../src/extension/testing/contract/idp-kind.contract.js';
import type {
  IdpKindContractInput,
  ProviderMisbehaviour,
} from '../../../src/extension/testing/contract/idp-kind-stage.js';
import { defineExtension } from '../../../src/foundation/extension/extension.js';
import { provide } from '../../../src/foundation/extension/seam.js';
import { Timeouts } from '../../../src/foundation/time/timeouts.js';
import {
  IDP_KIND,
  IdpAnswerRefused,
  type IdpHttp,
  type IdpIdentity,
  type IdpKind,
  type IdpLeaving,
  type IdpReturn,
} from '../../../src/idp/idp-kind.js';
import { answer, CODE_HOST_CLIENT, CODE_HOST_SECRET, CodeHost } from '../../support/code-host.js';
import { startWorld } from '../../support/world.js';
import { brokenIn } from './broken.js';

class HostSettings {
  @Text(1, { min: 1, max: 200 })
  readonly base!: string;
}

interface User {
  readonly id?: unknown;
  readonly login?: string;
}

interface Address {
  readonly email: string;
  readonly verified: boolean;
}

/** A code host with plain OAuth 2.0; `does` breaks it. */
@Injectable()
class HostKind implements IdpKind<HostSettings> {
  static does: {
    query?: (right: Record<string, string>, leaving: IdpLeaving<HostSettings>) => Record<string, string>;
    token?: (token: string | undefined, error: string | undefined) => string;
    identity?: (right: () => IdpIdentity, user: User, address: Address | undefined) => IdpIdentity;
    http?: (right: IdpHttp) => IdpHttp;
  } = {};
  readonly kind = 'ext:host';
  readonly settings = HostSettings;

  authorizationUrl(leaving: IdpLeaving<HostSettings>): string {
    const right = {
      client_id: leaving.clientId,
      redirect_uri: leaving.callbackUrl,
      state: leaving.state,
      code_challenge: leaving.codeChallenge,
      code_challenge_method: 'S256',
    };
    const query = HostKind.does.query?.(right, leaving) ?? right;
    return `${leaving.settings.base}/login/oauth/authorize?${new URLSearchParams(query).toString()}`;
  }

  async redeem(back: IdpReturn<HostSettings>, given: IdpHttp): Promise<IdpIdentity> {
    const http = HostKind.does.http?.(given) ?? given;
    const token = await this.tokenFor(back, http);
    const ask = async <T>(path: string): Promise<T> => {
      const headers = { Authorization: `Bearer ${token}`, 'User-Agent': 'a test' };
      const reply = await http.send({ url: `${back.settings.base}/api/v3${path}`, headers });
      if (reply.status !== 200) throw new Error(`status ${reply.status}`);
      return reply.json<T>();
    };
    const user = await ask<User>('/user');
    const [address] = await ask<Address[]>('/user/emails');
    const right = (): IdpIdentity => {
      if (typeof user.id !== 'number') throw new Error('The host does not say who it is.');
      return {
        subject: String(user.id),
        preferredUserName: user.login ?? '',
        ...(address ? { email: address.email, emailVerified: address.verified } : {}),
      };
    };
    return HostKind.does.identity ? HostKind.does.identity(right, user, address) : right();
  }

  private async tokenFor(back: IdpReturn<HostSettings>, http: IdpHttp): Promise<string> {
    const exchanged = await http.send({
      url: `${back.settings.base}/login/oauth/access_token`,
      form: {
        client_id: back.clientId,
        client_secret: back.clientSecret,
        redirect_uri: back.callbackUrl,
        code: back.code,
        code_verifier: back.codeVerifier,
      },
    });
    const { access_token: token, error } = exchanged.json<{ access_token?: string; error?: string }>();
    if (HostKind.does.token) return HostKind.does.token(token, error);
    if (token === undefined) throw new IdpAnswerRefused(error);
    return token;
  }
}

@Module({ providers: [HostKind] })
class HostModule {}

const host = defineExtension({
  id: 'host',
  version: '1.0.0',
  gatehouse: '>=0.1.0',
  module: HostModule,
  provides: [provide(IDP_KIND, HostKind)],
});

const code = await CodeHost.start();
/** One requirement waits for the end of a provider that is silent. */
const timeouts = new Timeouts(4_000);
const world = await startWorld({ extensions: [host], env: { OUTBOUND_ALLOW: '127.0.0.0/8' }, timeouts });
afterAll(async () => {
  await world.close();
  await code.close();
});

const MISDEEDS: Readonly<Record<ProviderMisbehaviour, CodeHost['misdeeds']>> = {
  error: { '/api/v3/user': (_, response) => answer(response, 500, { message: 'Server Error' }) },
  silence: { '/api/v3/user': () => undefined },
  redirect: { '/api/v3/user': (_, response) => response.writeHead(302, { Location: '/api/v3/other' }).end() },
  'two megabytes': { '/api/v3/user': (_, response) => answer(response, 200, { id: 7, login: 'x'.repeat(2_000_000) }) },
  'no subject': { '/api/v3/user': (_, response) => answer(response, 200, { login: 'nobody' }) },
  'an odd subject': { '/api/v3/user': (_, response) => answer(response, 200, { id: { $gt: '' }, login: 'odd' }) },
};

const input: IdpKindContractInput = {
  kind: 'ext:host',
  settings: { base: code.base },
  clientId: CODE_HOST_CLIENT,
  clientSecret: CODE_HOST_SECRET,
  answerTo: (url, { subject, userName, email, emailVerified }) =>
    code.answerTo(url, {
      id: Number(subject),
      login: userName,
      emails: [{ email, primary: true, verified: emailVerified }],
    }),
  misbehave: (how) => {
    code.misdeeds = how === undefined ? {} : MISDEEDS[how];
  },
  requests: () => code.asked.length,
};

describe('A code host keeps the contract', () => {
  for (const { name, run } of idpKindContract(world, input)) it(name, run);
});

describe('The contract tells what is wrong with a kind', () => {
  afterEach(() => {
    HostKind.does = {};
  });

  const around: IdpHttp = {
    send: async ({ url, headers, form }) => {
      const body = form && { method: 'POST', body: new URLSearchParams(form) };
      const reply = await fetch(url, { ...(headers && { headers }), ...body });
      const text = await reply.text();
      return { status: reply.status, headers: {}, text, json: () => JSON.parse(text) };
    },
  };

  it.each<[string, typeof HostKind.does, RegExp, RegExp]>([
    [
      'sends browsers away without PKCE',
      { query: ({ code_challenge_method: _, ...query }) => query },
      /linked user/,
      /^The provider does not serve where HostKind sends browsers, .*PKCE/,
    ],
    [
      'sends browsers away with a state of its own',
      { query: (query) => ({ ...query, state: 'mine' }) },
      /linked user/,
      /^Once a user is linked, the application gets no code: 400 /,
    ],
    [
      'sends the secret along',
      { query: (query, { clientSecret }) => ({ ...query, client_secret: clientSecret }) },
      /its secrets are in/,
      /^With HostKind, the secret of the client is in the address of the provider\.$/,
    ],
    [
      'knows users by their names',
      { identity: (right, { login }) => ({ ...right(), subject: login ?? '' }) },
      /an unknown user/,
      /^Who is signed in after a user has changed name and address is ".*" instead of ".*"\.$/,
    ],
    [
      'knows all users alike',
      { identity: (right) => ({ ...right(), subject: 'somebody' }) },
      /an unknown user/,
      /^HostKind takes two users of the provider for one\.$/,
    ],
    [
      'takes every address for verified',
      { identity: (right) => ({ ...right(), emailVerified: true }) },
      /an address is verified/,
      /^HostKind says that an address is verified which the provider has not verified\.$/,
    ],
    [
      'makes a subject of whatever there is',
      {
        identity: (_, user, address) => ({
          subject: String(user.id),
          preferredUserName: user.login ?? '',
          ...(address ? { email: address.email } : {}),
        }),
      },
      /answers with no subject/,
      /^With no subject of the provider, the status of the page is \d+ instead of 502\.$/,
    ],
    [
      'fails for a code that the provider refuses',
      {
        token: (token, error) => {
          if (token === undefined) throw new Error(error);
          return token;
        },
      },
      /the code of another sign-in/,
      /^With the code of another sign-in, the status of the page is 502 instead of 400\.$/,
    ],
    [
      'calls the provider around Gatehouse',
      { http: () => around },
      /through Gatehouse alone/,
      /^Past the rules for outgoing requests, the number of requests by HostKind is [1-3] instead of 0\.$/,
    ],
  ])('that %s', async (_, does, only, message) => {
    HostKind.does = does;
    const found = await brokenIn(idpKindContract(world, input), only);
    expect(Object.values(found)).toEqual([expect.stringMatching(message)]);
  });

  it('that no loaded extension has', async () => {
    const found = await brokenIn(idpKindContract(world, { ...input, kind: 'ext:nobody' }), /linked user/);
    expect(Object.values(found)).toEqual(['No extension of this world fills IDP_KIND with the kind ext:nobody.']);
  });
});
