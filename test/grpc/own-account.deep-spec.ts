import type { JsonObject } from '@bufbuild/protobuf';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { IdpLinks } from '../../src/idp/idp-links.js';
import { PolicyService } from '../../src/org/policy/policy.service.js';
import { addJwt } from '../idp/external.js';
import { App, setPolicy } from '../login/factor-turns.js';
import { answer, ORIGIN, withKey } from '../login/passkey-turns.js';
import { begin, setEmail } from '../login/turns.js';
import { AdminApi } from '../support/admin-api.js';
import { Authenticator } from '../support/authenticator.js';
import { EDITOR, type TestPerson } from '../support/builders.js';
import { codeIn, lastMailTo } from '../support/mails.js';
import { RelyingParty, tokensOf } from '../support/relying-party.js';
import { startWorld, type World } from '../support/world.js';
import {
  type Face,
  type Method,
  methodsById,
  overConnect,
  overGrpc,
  overJson,
  overWeb,
  type Seen,
  shape,
  toCall,
} from './faces.js';
import { GrpcClient } from './grpc-clients.js';

const ME = '/auth/v1/users/me';
const SCOPE = 'openid offline_access urn:service:iam:org:project:id:service:aud';

/** A user who has just signed in, and whose token is sent. */
interface Caller {
  readonly person: TestPerson;
  readonly api: AdminApi;
}

type Prepare = (caller: Caller) => Promise<JsonObject>;

let world: World;
let client: GrpcClient;
let orgId: string;
let methods: Map<string, Method>;
let faces: ReadonlyMap<string, Face>;

beforeAll(async () => {
  world = await startWorld({ publicUrl: ORIGIN });
  client = new GrpcClient(world.origin);
  ({ id: orgId } = await world.add.org());
  await setPolicy(world, orgId, { secondFactors: ['otp', 'otp_email', 'u2f'], mfaInitSkipLifetimeSeconds: 0 });
  await world.transaction((tx) =>
    world.get(PolicyService).set(tx, 'selfService', orgId, { deleteAccount: true }, EDITOR),
  );
  await world.changesToArrive();
  methods = methodsById(world);
  faces = new Map([
    ['JSON', overJson(world.origin)],
    ['gRPC', overGrpc(client)],
    ['gRPC-web', overWeb(world.origin)],
    ['Connect', overConnect(world.origin, 'json')],
  ]);
});
afterAll(async () => {
  client.close();
  await world.close();
});

const nothing: Prepare = async () => ({});

async function callerByPassword(): Promise<Caller> {
  const person = await world.add.person({ orgId });
  const web1 = new RelyingParty(world, await world.cast.console);
  const { access_token: token } = await web1.tokens(person, { scope: SCOPE });
  return { person, api: new AdminApi(world.origin, token) };
}

/** Proves both factors, which removals need of a user who holds two. */
async function callerByPasskey(): Promise<Caller> {
  const person = await world.add.person({ orgId });
  const device = await withKey(world, person);
  const web1 = new RelyingParty(world, await world.cast.console);
  const { code } = web1.toAnswer(await answer(web1, await begin(web1, { scope: SCOPE }), device));
  const { access_token: token } = tokensOf(await web1.redeem(code!));
  return { person, api: new AdminApi(world.origin, token) };
}

/** The answer of a new key to the options of an operation. */
function newKeyAt(path: string): Prepare {
  return async ({ api }) => {
    const { key } = await api.call<{ key: { publicKey: string } }>('POST', path);
    const options = JSON.stringify(JSON.parse(Buffer.from(key.publicKey, 'base64').toString()).publicKey);
    const publicKeyCredential = Buffer.from(new Authenticator(ORIGIN).create(options)).toString('base64');
    return { verification: { publicKeyCredential, tokenName: 'Mine' } };
  };
}

async function newApp({ api }: Caller): Promise<JsonObject> {
  const { secret } = await api.call<{ secret: string }>('POST', `${ME}/auth_factors/otp`);
  return { code: new App(world, secret).code() };
}

const metadata: Prepare = async ({ person }) => {
  await world.add.metadata(person.id, 'note', Buffer.from('x'));
  return { key: 'note' };
};

const phone: Prepare = async ({ api }) => {
  await api.call('PUT', `${ME}/phone`, { phone: '+49 30 1234567' });
  return {};
};

const link: Prepare = async ({ person }) => {
  const idpId = await addJwt(world, 'http://127.0.0.1:1');
  const linkedUserId = `there-${person.id}`;
  await world.transaction((tx) =>
    world
      .get(IdpLinks)
      .add(tx, { idpId, externalUserId: linkedUserId, displayName: 'Me', userId: person.id, orgId }, EDITOR),
  );
  return { idpId, linkedUserId };
};

const keyIn =
  (path: string, member: (entry: Record<string, unknown>) => unknown): Prepare =>
  async ({ api }) => {
    const { result } = await api.call<{ result: Array<Record<string, unknown>> }>('POST', `${path}/_search`, {});
    return { tokenId: result.map(member).find((id) => typeof id === 'string')! };
  };

/** Every operation on the own account: what a call needs, which it gets with a token of a new sign-in. */
const BY_PASSWORD: Readonly<Record<string, Prepare>> = {
  GetMyUser: nothing,
  GetMyProfile: nothing,
  GetMyEmail: nothing,
  GetMyPhone: phone,
  GetMyMetadata: metadata,
  GetMyPasswordComplexityPolicy: nothing,
  ListMyAuthFactors: async (caller) => {
    await newApp(caller);
    return {};
  },
  ListMyLinkedIDPs: async (caller) => {
    await link(caller);
    return { query: { limit: 10, asc: true } };
  },
  ListMyMemberships: nothing,
  ListMyMetadata: async (caller) => {
    await metadata(caller);
    return { query: { limit: 5 } };
  },
  ListMyPasswordless: nothing,
  ListMyRefreshTokens: nothing,
  ListMyPermissions: nothing,
  ListMyUserChanges: async () => ({ query: { limit: 2, asc: true } }),
  ListMyUserSessions: nothing,
  UpdateMyProfile: async () => ({ firstName: 'Ilse', lastName: 'Brandt', preferredLanguage: 'de' }),
  UpdateMyUserName: async ({ person }) => ({ userName: `renamed.${person.id}` }),
  UpdateMyPassword: async ({ person }) => ({ oldPassword: person.password, newPassword: 'Sundial-Harbour-31' }),
  SetMyEmail: async ({ person }) => ({ email: `new-${person.id}@example.test` }),
  VerifyMyEmail: async ({ person, api }) => {
    const email = `new-${person.id}@example.test`;
    await api.call('PUT', `${ME}/email`, { email });
    return { code: codeIn(world, await lastMailTo(world, email)) };
  },
  ResendMyEmailVerification: async ({ person }) => {
    await setEmail(world, person, `unverified-${person.id}@example.test`);
    return {};
  },
  SetMyPhone: async () => ({ phone: '+49 30 7654321' }),
  RemoveMyPhone: phone,
  RemoveMyLinkedIDP: link,
  RevokeMyRefreshToken: async ({ api }) => {
    const { result } = await api.call<{ result: Array<{ id: string }> }>('POST', `${ME}/tokens/refresh/_search`);
    return { id: result[0]!.id };
  },
  RevokeAllMyRefreshTokens: nothing,
  RemoveMyUser: nothing,
  AddMyAuthFactorOTP: nothing,
  VerifyMyAuthFactorOTP: newApp,
  AddMyAuthFactorOTPEmail: nothing,
  AddMyAuthFactorU2F: nothing,
  VerifyMyAuthFactorU2F: newKeyAt(`${ME}/auth_factors/u2f`),
  AddMyPasswordless: nothing,
  VerifyMyPasswordless: newKeyAt(`${ME}/passwordless`),
  AddMyPasswordlessLink: nothing,
  SendMyPasswordlessLink: nothing,
};

/** Of what only its holder may remove. */
const BY_PASSKEY: Readonly<Record<string, Prepare>> = {
  RemoveMyAuthFactorOTP: async (caller) => {
    await caller.api.call('POST', `${ME}/auth_factors/otp/_verify`, await newApp(caller));
    return {};
  },
  RemoveMyAuthFactorOTPEmail: async ({ api }) => {
    await api.call('POST', `${ME}/auth_factors/otp_email`);
    return {};
  },
  RemoveMyAuthFactorU2F: async (caller) => {
    const path = `${ME}/auth_factors/u2f`;
    await caller.api.call('POST', `${path}/_verify`, await newKeyAt(path)(caller));
    return keyIn(`${ME}/auth_factors`, ({ u2f }) => (u2f as { id?: string } | undefined)?.id)(caller);
  },
  RemoveMyPasswordless: keyIn(`${ME}/passwordless`, ({ id }) => id),
};

/** The same call about a user of its own, each as it is prepared, by each wire. */
async function seenBy(id: string, ask: Face, signIn: () => Promise<Caller>, prepare: Prepare): Promise<Seen> {
  const method = methods.get(id)!;
  const caller = await signIn();
  return ask(toCall(method, await prepare(caller), { authorization: `Bearer ${caller.api.token}` }));
}

describe('The own account over JSON, gRPC and gRPC-web', () => {
  it('has no operation that is not called here', () => {
    const own = [...methods.values()].filter(({ path, facts }) => path.includes('auth/v1/') && facts.id.includes('My'));
    const called = [...Object.keys(BY_PASSWORD), ...Object.keys(BY_PASSKEY)];
    expect(called.sort()).toEqual(own.map(({ facts }) => facts.id).sort());
  });

  it.each([
    ...Object.entries(BY_PASSWORD).map(([id, prepare]) => [id, callerByPassword, prepare] as const),
    ...Object.entries(BY_PASSKEY).map(([id, prepare]) => [id, callerByPasskey, prepare] as const),
  ])('does the same by each: %s', async (id, signIn, prepare) => {
    world.clock.advance('1h');
    const seen: Record<string, unknown> = {};
    for (const [name, ask] of faces) {
      const { verdict, message, answer } = await seenBy(id, ask, signIn, prepare);
      seen[name] = { verdict, message, answer: shape(answer) };
    }
    expect(seen['JSON']).toMatchObject({ verdict: '0' });
    expect([seen['gRPC'], seen['gRPC-web']]).toEqual([seen['JSON'], seen['JSON']]);
  });
});
