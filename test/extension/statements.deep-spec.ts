import { beforeAll, describe, expect, it } from '@jest/globals';
import { Injectable, Module } from '@nestjs/common';
import { Database } from '../../src/extension/facade/database.js';
import { GatehouseServices } from '../../src/extension/facade/gatehouse-services.js';
import { defineExtension, type Extension } from '../../src/foundation/extension/extension.js';
import { provide } from '../../src/foundation/extension/seam.js';
import { CLAIMS, type ClaimsContributor } from '../../src/token/claims/claims-contributor.js';
import { PasswordMixes } from '../../src/user/password-mixes.js';
import type { Reply } from '../support/http.js';
import { answerOf, RelyingParty, tokensOf } from '../support/relying-party.js';
import { statementsDuring } from '../support/statement-counter.js';
import { startWorld, type World } from '../support/world.js';

/** One statement for each question. */
@Injectable()
class HrClaims implements ClaimsContributor {
  readonly scopes = ['hr'];
  readonly claims = ['https://acme.example/grade'];

  constructor(private readonly database: Database) {}

  async contribute(): Promise<Record<string, number>> {
    const [row] = await this.database.query<{ grade: number }>('SELECT 7 AS grade');
    return { 'https://acme.example/grade': row!.grade };
  }
}

@Module({ imports: [GatehouseServices], providers: [HrClaims] })
class HrModule {}

const hr = defineExtension({
  id: 'hr',
  version: '1.0.0',
  gatehouse: '>=0.1.0',
  module: HrModule,
  provides: [provide(CLAIMS, HrClaims)],
});

/** Those that the service makes by itself, at any moment. */
const BY_ITSELF = /^(?:(?:outbox|logout_notice)\.claim|webhook\.any_active|purge\.|attempt\.forgive|job\.fail_lost)/;

/** The names of the statements of each request, once what may be cached is. */
async function statementsIn(world: World, scope: string): Promise<Record<string, string[]>> {
  const alice = await world.cast.alice;
  const rp = new RelyingParty(world, await world.cast.web1);
  await world.get(PasswordMixes).count(); // as housekeeping does
  const namesOf = async (work: () => Promise<unknown>): Promise<string[]> => {
    await world.changesToArrive();
    await work();
    const texts = await statementsDuring(work);
    return texts.filter((text) => !BY_ITSELF.test(text)).map((text) => text.split(':')[0]!);
  };
  const signIn = async (): Promise<void> => {
    const fresh = rp.elsewhere();
    tokensOf(await fresh.redeem((await fresh.signIn(alice, { scope })).code!));
  };
  const found: Record<string, string[]> = { signIn: await namesOf(signIn) };
  let tokens = await rp.tokens(alice, { scope });
  found['code flow'] = await namesOf(async () => {
    const reply = await rp.authorizeOnce({ scope });
    tokensOf(await rp.redeem(answerOf(reply.location!)['code']!));
  });
  found['refresh'] = await namesOf(async () => {
    tokens = tokensOf(await rp.refresh(tokens.refresh_token));
  });
  const ok = async (reply: Promise<Reply>): Promise<void> => expect((await reply).status).toBe(200);
  found['userinfo'] = await namesOf(() => ok(rp.userinfo(tokens.access_token)));
  found['introspection'] = await namesOf(() => ok(rp.introspect(tokens.access_token)));
  return found;
}

const SCOPE = 'openid email profile offline_access';

async function within(
  extensions: readonly Extension[],
  work: (world: World) => Promise<Record<string, string[]>>,
): Promise<Record<string, string[]>> {
  const world = await startWorld({ extensions, loginLimits: 'on' });
  try {
    return await work(world);
  } finally {
    await world.close();
  }
}

describe('Statements per request', () => {
  let without: Record<string, string[]>;
  let idle: Record<string, string[]>;
  let asked: Record<string, string[]>;
  beforeAll(async () => {
    without = await within([], (world) => statementsIn(world, SCOPE));
    [idle, asked] = [{}, {}];
    await within([hr], async (world) => {
      idle = await statementsIn(world, SCOPE);
      asked = await statementsIn(world, `${SCOPE} hr`);
      return idle;
    });
  });

  it('without an extension are those that test/oidc/statements names', () => {
    const counts = Object.fromEntries(Object.entries(without).map(([request, names]) => [request, names.length]));
    expect(counts).toEqual({ signIn: 7, 'code flow': 3, refresh: 1, userinfo: 1, introspection: 1 });
  });

  it('with an extension that nobody asks for are the same', () => {
    expect(idle).toEqual(without);
  });

  it('with an extension that is asked are the same, and its own for each place, which name it', () => {
    const more = Object.fromEntries(
      Object.entries(asked).map(([request, names]) => [request, names.length - without[request]!.length]),
    );
    expect(more).toEqual({ signIn: 1, 'code flow': 1, refresh: 1, userinfo: 1, introspection: 0 });
    const own = Object.values(asked).flatMap((names) => names.filter((name) => name.startsWith('ext.')));
    expect(own).toEqual(Array.from({ length: 4 }, () => expect.stringMatching(/^ext\.hr\.[\w-]{22}$/)));
  });
});
