import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Injectable, Module } from '@nestjs/common';
import { decodeJwt } from 'jose';
import { defineExtension } from '../../src/foundation/extension/extension.js';
import { provide } from '../../src/foundation/extension/seam.js';
import { ClientService } from '../../src/project/client/client.service.js';
import type { NewClient } from '../../src/project/client/client-settings.js';
import { type ExtGrant, GRANT, type GrantDecision, type GrantQuestion } from '../../src/project/client/ext-grant.js';
import { EDITOR, type TestPerson } from '../support/builders.js';
import { base64Of, CERTIFICATES, SUBJECT } from '../support/certificates.js';
import { type Headers, type Reply, send } from '../support/http.js';
import { Prover } from '../support/proof.js';
import { bearer, paths, RelyingParty, type Tokens, tokensOf } from '../support/relying-party.js';
import { statementsDuring } from '../support/statement-counter.js';
import { startWorld, type World } from '../support/world.js';

/** With dots, as the parts of a refresh token are separated by them. */
const BADGE = 'https://badge.example.com/v1.0/grant';
const CARD = 'urn:example:card';
const PROXY = {
  CLIENT_CERT_HEADER: 'X-Client-Cert',
  CLIENT_CERT_VERIFY_HEADER: 'X-Client-Verify',
  MTLS_URL: 'https://mtls.op.test',
  TRUSTED_PROXIES: '127.0.0.0/8',
};
const { first, other } = CERTIFICATES;

/** Badges whose number is the id of a user. */
@Injectable()
class BadgeGrant implements ExtGrant {
  readonly name: string = BADGE;
  readonly parameters = [{ name: 'badge' }];
  readonly refreshTokens = true;
  readonly publicClients = true;

  async decide({ parameters }: GrantQuestion): Promise<GrantDecision> {
    return { userId: parameters['badge']!, amr: ['hwk'] };
  }
}

@Injectable()
class CardGrant extends BadgeGrant {
  override readonly name = CARD;
}

@Module({ providers: [BadgeGrant, CardGrant] })
class BadgeModule {}

const badge = defineExtension({
  id: 'badge',
  version: '1.0.0',
  gatehouse: '>=0.1.0',
  module: BadgeModule,
  provides: [provide(GRANT, BadgeGrant), provide(GRANT, CardGrant)],
});

let world: World;
/** The same service without the extension. */
let without: World;
let alice: TestPerson;
let projectId: string;

beforeAll(async () => {
  world = await startWorld({ extensions: [badge], env: PROXY });
  without = await startWorld({ replicaOf: world, env: PROXY });
  alice = await world.cast.alice;
  projectId = await world.cast.projectP;
});
beforeEach(() => world.clock.advance('1m'));
afterAll(async () => {
  await without.close();
  await world.close();
});

async function partyWith(over: Partial<NewClient> = {}): Promise<RelyingParty> {
  const client = await world.add.client({
    projectId,
    extensionGrants: [BADGE, CARD],
    grantTypes: ['authorization_code', 'refresh_token'],
    accessTokenType: 'jwt',
    ...over,
  });
  return new RelyingParty(world, client);
}

async function ask(rp: RelyingParty, grantType: string, headers: Headers = {}): Promise<Reply> {
  const form = { grant_type: grantType, badge: alice.id, scope: 'openid offline_access' };
  return rp.token(form, world, headers);
}

async function change({ client }: RelyingParty, extensionGrants: string[]): Promise<void> {
  await world.transaction((tx) => world.get(ClientService).changeSettings(tx, client.id, { extensionGrants }, EDITOR));
  await world.changesToArrive();
}

function outcomeOf(reply: Reply): string {
  return reply.status === 200 ? 'ok' : `${reply.status} ${reply.json<{ error: string }>().error}`;
}

describe('Refresh tokens of a grant of an extension', () => {
  it('end with the grant of the application, and not with another one [TOK-071]', async () => {
    const rp = await partyWith();
    const [ofBadge, ofCard] = [tokensOf(await ask(rp, BADGE)), tokensOf(await ask(rp, CARD))];
    const ofCode = tokensOf(await rp.redeem(await rp.code(alice, { scope: 'openid offline_access' })));
    await change(rp, [CARD]);
    expect(outcomeOf(await rp.refresh(ofBadge.refresh_token))).toBe('400 invalid_grant');
    expect(world.logText()).toContain('oidc.refresh_token_grant_withdrawn');
    expect(outcomeOf(await rp.refresh(ofCard.refresh_token))).toBe('ok');
    expect(outcomeOf(await rp.refresh(ofCode.refresh_token))).toBe('ok');
  });

  it('that were refreshed before end with it as well, and repeating the last refresh brings none back [TOK-071]', async () => {
    const rp = await partyWith();
    const begun = tokensOf(await ask(rp, BADGE));
    const next = tokensOf(await rp.refresh(begun.refresh_token));
    const repeated = tokensOf(await rp.refresh(begun.refresh_token));
    expect(repeated.refresh_token).toBe(next.refresh_token);
    await change(rp, []);
    for (const token of [begun.refresh_token, next.refresh_token])
      expect(outcomeOf(await rp.refresh(token))).toBe('400 invalid_grant');
  });

  it('are refused unspent where the extension is not loaded, and can be used where it is [TOK-071]', async () => {
    const rp = await partyWith();
    const { refresh_token: token } = tokensOf(await ask(rp, BADGE));
    expect(outcomeOf(await rp.refresh(token, {}, without))).toBe('400 invalid_grant');
    const refreshed = tokensOf(await rp.refresh(token));
    expect(outcomeOf(await rp.refresh(refreshed.refresh_token, {}, without))).toBe('400 invalid_grant');
    await change(rp, []);
    expect(outcomeOf(await rp.refresh(refreshed.refresh_token))).toBe('400 invalid_grant');
    await change(rp, [BADGE]);
    expect(outcomeOf(await rp.refresh(refreshed.refresh_token))).toBe('ok');
  });

  it('can be revoked after that', async () => {
    const rp = await partyWith();
    const { refresh_token: token, access_token: accessToken } = tokensOf(await ask(rp, BADGE));
    await change(rp, []);
    expect((await rp.revoke(token)).status).toBe(200);
    expect((await rp.introspect(accessToken)).json()).toEqual({ active: false });
    await change(rp, [BADGE]);
    expect(outcomeOf(await rp.refresh(token))).toBe('400 invalid_grant');
  });

  it('cost a refresh as many statements as those of a code', async () => {
    const rp = await partyWith();
    const tokens = [
      tokensOf(await ask(rp, BADGE)),
      tokensOf(await rp.redeem(await rp.code(alice, { scope: 'openid offline_access' }))),
    ];
    const counts: number[] = [];
    for (const { refresh_token: token } of tokens) {
      const sent = await statementsDuring(async () => void tokensOf(await rp.refresh(token)));
      counts.push(sent.filter((text) => !text.startsWith('client_use')).length);
    }
    expect(counts[0]).toBe(counts[1]);
  });
});

describe('Tokens of a grant of an extension that are bound', () => {
  const shown = (pem: string): Headers => ({ 'X-Client-Cert': encodeURIComponent(pem), 'X-Client-Verify': 'SUCCESS' });
  const thumbprint = createHash('sha256')
    .update(Buffer.from(base64Of(first), 'base64'))
    .digest('base64url');
  const use = async (token: string, headers: Headers): Promise<number> =>
    (await send(world.origin, { path: paths.userinfo, headers: { ...bearer(token), ...headers } })).status;

  it.each<[string, Partial<NewClient>]>([
    [
      'which authenticates by it',
      { authMethod: 'tls_client_auth', tlsClientNameType: 'subject_dn', tlsClientName: SUBJECT },
    ],
    ['which has a secret besides', {}],
  ])(
    'to the certificate of an application (RFC 8705 §3), %s, cannot be used without it [MTL-002]',
    async (_, settings) => {
      const rp = await partyWith({ tlsBoundAccessTokens: true, ...settings });
      expect((await ask(rp, BADGE)).status).toBeGreaterThanOrEqual(400);
      const tokens: Tokens = tokensOf(await ask(rp, BADGE, shown(first)));
      expect(decodeJwt(tokens.access_token)['cnf']).toEqual({ 'x5t#S256': thumbprint });
      expect(await use(tokens.access_token, shown(first))).toBe(200);
      for (const headers of [{}, shown(other)]) expect(await use(tokens.access_token, headers)).toBe(401);
      expect((await rp.refresh(tokens.refresh_token)).status).toBeGreaterThanOrEqual(400);
      const refreshed = tokensOf(await rp.refresh(tokens.refresh_token, {}, world, shown(first)));
      expect(decodeJwt(refreshed.access_token)['cnf']).toEqual({ 'x5t#S256': thumbprint });
    },
  );

  it('to the key of an application without credentials (RFC 9449 §5) are refreshed with that key alone [DPO-001]', async () => {
    const rp = await partyWith({ authMethod: 'none', dpopBoundAccessTokens: true });
    const [prover, thief] = [await Prover.make(world), await Prover.make(world)];
    const tokens = tokensOf(await ask(rp, BADGE, await prover.forTokens()));
    expect(decodeJwt(tokens.access_token)['cnf']).toEqual({ jkt: prover.thumbprint });
    expect(await use(tokens.access_token, {})).toBe(401);
    const proved = await prover.forResource(tokens.access_token, paths.userinfo);
    expect((await send(world.origin, { path: paths.userinfo, headers: proved })).status).toBe(200);
    const stolen = await rp.refresh(tokens.refresh_token, {}, world, await thief.forTokens());
    expect(outcomeOf(stolen)).toBe('400 invalid_grant');
    const refreshed = await rp.refresh(tokens.refresh_token, {}, world, await prover.forTokens());
    expect(decodeJwt(tokensOf(refreshed).access_token)['cnf']).toEqual({ jkt: prover.thumbprint });
  });
});
