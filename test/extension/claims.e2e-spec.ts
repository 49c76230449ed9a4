import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Injectable, Module } from '@nestjs/common';
import { decodeJwt } from 'jose';
import { Database } from '../../src/extension/facade/database.js';
import { GatehouseServices } from '../../src/extension/facade/gatehouse-services.js';
import { Log } from '../../src/extension/facade/log.js';
import { Users } from '../../src/extension/facade/users.js';
import { defineExtension } from '../../src/foundation/extension/extension.js';
import { provide } from '../../src/foundation/extension/seam.js';
import type { SqlTransaction } from '../../src/foundation/extension/sql.js';
import {
  CLAIMS,
  type ClaimsContributor,
  type ClaimsPlace,
  type ClaimsQuestion,
  type JsonValue,
} from '../../src/token/claims/claims-contributor.js';
import { GrpcClient, methodsOf } from '../grpc/grpc-clients.js';
import { callerWith } from '../support/admin-api.js';
import type { TestPerson } from '../support/builders.js';
import { sendUnchecked } from '../support/http.js';
import { bearer, paths, RelyingParty } from '../support/relying-party.js';
import { startWorld, type World } from '../support/world.js';

const COST_CENTRE = 'https://acme.example/cost_centre';
const STAFF_NAME = 'https://acme.example/staff_name';
const GROUP_COUNT = 'https://acme.example/group_count';
const SHIFT = 'https://acme.example/shift';

type Answer = (question: ClaimsQuestion, signal: AbortSignal) => Promise<Readonly<Record<string, JsonValue>>>;

/** What the contributors of this file do next; usually they answer with the user's own name. */
let answer: Answer | undefined;
const asked: ClaimsQuestion[] = [];
/** What the contributors of this file have injected. */
let [log, database]: [Log, Database] = [undefined as never, undefined as never];

@Injectable()
class HrClaims implements ClaimsContributor {
  readonly scopes: readonly string[] = ['hr'];
  readonly claims: readonly string[] = [COST_CENTRE, 'employee_number'];
  readonly places: readonly ClaimsPlace[] = ['id_token', 'access_token', 'userinfo', 'introspection'];
  readonly timeoutMs: number = 2_000; // for a query, also on a busy machine

  constructor(
    private readonly users: Users,
    sharedLog: Log,
    sharedDatabase: Database,
  ) {
    [log, database] = [sharedLog, sharedDatabase];
  }

  async contribute(question: ClaimsQuestion, signal: AbortSignal): Promise<Readonly<Record<string, JsonValue>>> {
    asked.push(question);
    if (answer) return answer(question, signal);
    const user = await this.users.find(question.userId);
    return { [COST_CENTRE]: `K-${user!.userName}`, employee_number: 7 };
  }
}

/** Whose limit is reached soon: for what happens then. */
@Injectable()
class HastyClaims extends HrClaims {
  override readonly scopes = ['shift'];
  override readonly claims = [SHIFT];
  override readonly timeoutMs = 100;
}

@Injectable()
class GroupClaims implements ClaimsContributor {
  readonly scopes = ['teams'];
  readonly claims = [GROUP_COUNT];
  readonly onFailure = 'refuse';
  static isBroken = false;

  async contribute(): Promise<Readonly<Record<string, JsonValue>>> {
    if (GroupClaims.isBroken) throw new Error('the directory is down');
    return { [GROUP_COUNT]: 2 };
  }
}

/** Of each round of people, whoever is asked about first is answered last. */
@Injectable()
class StaffClaims implements ClaimsContributor {
  readonly scopes = ['staff'];
  readonly claims = [STAFF_NAME];
  readonly timeoutMs = 2_000;
  static readonly round = 12;
  static turns = 0;

  constructor(private readonly users: Users) {}

  async contribute({ userId }: ClaimsQuestion): Promise<Readonly<Record<string, JsonValue>>> {
    // No more turns than that takes: on a busy machine each of them may be long.
    StaffClaims.turns = (StaffClaims.turns || StaffClaims.round) - 1;
    for (let left = StaffClaims.turns; left > 0; left -= 1) await nextTurn();
    return { [STAFF_NAME]: (await this.users.find(userId))!.userName };
  }
}

@Module({ imports: [GatehouseServices], providers: [HrClaims, HastyClaims, GroupClaims, StaffClaims] })
class HrModule {}

const hr = defineExtension({
  id: 'hr',
  version: '1.2.0',
  gatehouse: '>=0.1.0',
  module: HrModule,
  provides: [HrClaims, HastyClaims, GroupClaims, StaffClaims].map((part) => provide(CLAIMS, part)),
});

let world: World;
let web1: RelyingParty;
let alice: TestPerson;

beforeAll(async () => {
  world = await startWorld({ extensions: [hr] });
  web1 = new RelyingParty(world, await world.cast.web1);
  alice = await world.cast.alice;
});
afterEach(() => {
  answer = undefined;
  GroupClaims.isBroken = false;
  asked.length = 0;
});
afterAll(() => world.close());

const alicesClaims = { [COST_CENTRE]: 'K-alice', employee_number: 7 };

describe('Claims of an extension', () => {
  it.each(['opaque', 'jwt'] as const)(
    'are all that it adds: what it does to its question changes no answer, now or later (%s)',
    async (accessTokenType) => {
      const rp = new RelyingParty(world, await world.add.application({ accessTokenType }));
      const { access_token: token } = await rp.tokens(alice, { scope: 'openid hr' });
      answer = async ({ scopes }) => {
        (scopes as string[]).push('email', 'profile');
        return {};
      };
      for (let request = 0; request < 2; request += 1)
        expect((await rp.userinfo(token)).json()).toEqual({ sub: alice.id });
      answer = undefined;
      expect((await rp.userinfo(token)).json()).toEqual({ sub: alice.id, ...alicesClaims });
    },
  );

  it('are in the ID token, userinfo and introspection if their scope was granted, and the scope is granted', async () => {
    const tokens = await web1.tokens(alice, { scope: 'openid hr' });
    expect(tokens.scope.split(' ')).toContain('hr');
    expect(decodeJwt(tokens.id_token)).toMatchObject({ sub: alice.id, ...alicesClaims });
    expect((await web1.userinfo(tokens.access_token)).json()).toEqual({ sub: alice.id, ...alicesClaims });
    expect((await web1.introspect(tokens.access_token)).json()).toMatchObject({ active: true, ...alicesClaims });
    expect(asked.map(({ place }) => place)).toEqual(['id_token', 'userinfo', 'introspection']);
    expect(asked[0]).toMatchObject({
      userId: alice.id,
      orgId: alice.orgId,
      kind: 'human',
      client: { id: web1.client.clientId },
      scopes: ['openid', 'hr'],
    });
  });

  it('are absent, and their contributor is not asked, without the scope', async () => {
    const tokens = await web1.tokens(alice, { scope: 'openid' });
    expect(decodeJwt(tokens.id_token)).not.toHaveProperty([COST_CENTRE]);
    expect((await web1.userinfo(tokens.access_token)).json()).toEqual({ sub: alice.id });
    expect(asked).toEqual([]);
  });

  it('can be requested by name, each on its own (OIDC Core §5.5)', async () => {
    const claims = JSON.stringify({ userinfo: { employee_number: null }, id_token: { [COST_CENTRE]: null } });
    const tokens = await web1.tokens(alice, { scope: 'openid', claims });
    expect(decodeJwt(tokens.id_token)).toMatchObject({ [COST_CENTRE]: 'K-alice' });
    expect(decodeJwt(tokens.id_token)).not.toHaveProperty('employee_number');
    expect((await web1.userinfo(tokens.access_token)).json()).toEqual({ sub: alice.id, employee_number: 7 });
    expect(asked.at(-1)).toMatchObject({ place: 'userinfo', claimNames: ['employee_number'] });
  });

  it('and their scopes are in the discovery document', async () => {
    const document = await world.discovery();
    expect(document['scopes_supported']).toEqual(expect.arrayContaining(['openid', 'hr', 'teams']));
    expect(document['claims_supported']).toEqual(expect.arrayContaining(['sub', COST_CENTRE, 'employee_number']));
  });

  it('never replace a claim of the product, and what was not declared is dropped', async () => {
    answer = async () => ({
      [COST_CENTRE]: 'K-1',
      sub: 'root',
      iss: 'https://evil.example',
      aud: 'other',
      email: 'root@evil.example',
      email_verified: true,
      roles: ['admin'],
      undeclared: 1,
    });
    const tokens = await web1.tokens(alice, { scope: 'openid hr email' });
    const userinfo = (await web1.userinfo(tokens.access_token)).json<Record<string, unknown>>();
    expect(userinfo).toEqual({ sub: alice.id, email: 'alice@mail.test', email_verified: true, [COST_CENTRE]: 'K-1' });
    const idToken = decodeJwt(tokens.id_token);
    expect(idToken).toMatchObject({
      sub: alice.id,
      iss: world.issuer,
      aud: web1.client.clientId,
      [COST_CENTRE]: 'K-1',
    });
    expect(idToken).not.toHaveProperty('roles');
    expect(idToken).not.toHaveProperty('undeclared');
  });

  it.each<[string, Answer, scope?: string, part?: string]>([
    ['throws', () => Promise.reject(new Error('no connection'))],
    [
      'throws at once, without a promise',
      () => {
        throw new Error('a defect');
      },
    ],
    ['hangs', () => new Promise(() => undefined), 'shift', 'HastyClaims'],
    ['answers nonsense', () => Promise.resolve(null as never)],
    ['answers what is not JSON', () => Promise.resolve({ [COST_CENTRE]: 1n as never })],
    ['answers more than 4 kB', () => Promise.resolve({ [COST_CENTRE]: 'x'.repeat(5_000) })],
  ])(
    'are left out if their contributor %s; the log names it, and the response does not wait for it',
    async (_, broken, scope = 'hr', part = 'HrClaims') => {
      const { access_token: token } = await web1.tokens(alice, { scope: `openid ${scope}` });
      answer = broken;
      const lines = world.logText().length;
      expect((await web1.userinfo(token)).json()).toEqual({ sub: alice.id });
      const line = world
        .logText()
        .slice(lines)
        .split('\n')
        .find((text) => text.includes('an extension failed'));
      expect(JSON.parse(line!)).toMatchObject({ extension: 'hr', seam: 'CLAIMS', part });
    },
  );

  it('are made while the log names their extension, whatever its lines call themselves; lines of the product name none', async () => {
    const { access_token: token } = await web1.tokens(alice, { scope: 'openid hr' });
    let kept: SqlTransaction | undefined;
    answer = async () => {
      await database.transaction(async (tx) => {
        kept = tx;
        await tx.query('SELECT 1');
      });
      log.warn({ reason: 'hr.empty', extension: 'other' }, 'nobody has a cost centre');
      return {};
    };
    const from = world.logText().length;
    await web1.userinfo(token);
    await expect(kept!.query('SELECT 1')).rejects.toThrow('This transaction has ended.');
    log.warn({ reason: 'hr.outside' }, 'a line outside of any call');
    const lines = world
      .logText()
      .slice(from)
      .split('\n')
      .filter((line) => line.includes('"reason"'))
      .map((line) => JSON.parse(line) as { reason: string; extension?: string });
    expect(lines.map(({ reason, extension }) => [reason, extension])).toEqual([
      ['hr.empty', 'hr'],
      ['extension.handle_kept', 'hr'],
      ['hr.outside', undefined],
    ]);
  });

  it('that are not listed are left out, and named in the log once', async () => {
    const { access_token: token } = await web1.tokens(alice, { scope: 'openid hr' });
    answer = async () => Promise.resolve({ 'https://acme.example/misspelt': 'x' });
    const from = world.logText().length;
    await web1.userinfo(token);
    await web1.userinfo(token);
    const lines = world
      .logText()
      .slice(from)
      .split('\n')
      .filter((line) => line.includes('claim_undeclared'));
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
      expect.objectContaining({ extension: 'hr', seam: 'CLAIMS', claim: 'https://acme.example/misspelt' }),
    ]);
  });

  it('abort the signal of a contributor that takes longer than its limit', async () => {
    const { access_token: token } = await web1.tokens(alice, { scope: 'openid shift' });
    let reason: unknown;
    answer = async (_, signal) =>
      new Promise((resolve) => {
        signal.addEventListener('abort', () => {
          reason = signal.reason;
          resolve({});
        });
      });
    await web1.userinfo(token);
    expect(String(reason)).toContain('It took longer than 100 ms.');
  });

  it('that must not be left out make the request fail with temporarily_unavailable', async () => {
    const { access_token: token } = await web1.tokens(alice, { scope: 'openid teams' });
    GroupClaims.isBroken = true;
    const reply = await sendUnchecked(world.origin, { path: paths.userinfo, headers: bearer(token) });
    expect([reply.status, reply.json<{ error: string }>().error]).toEqual([503, 'temporarily_unavailable']);
    expect(reply.header('retry-after')).toBe('5');
    GroupClaims.isBroken = false;
    expect((await web1.userinfo(token)).json()).toEqual({ sub: alice.id, [GROUP_COUNT]: 2 });
  });

  it('of one user never appear for another one, however many are asked about at once, in whatever order they answer', async () => {
    const people = await Promise.all(
      Array.from({ length: StaffClaims.round }, () => world.add.person({ orgId: alice.orgId })),
    );
    const seen = await Promise.all(
      people.map(async (person) => {
        const tokens = await web1.elsewhere().tokens(person, { scope: 'openid staff' });
        const userinfo = (await web1.userinfo(tokens.access_token)).json<Record<string, unknown>>();
        return [decodeJwt(tokens.id_token)[STAFF_NAME], userinfo['sub'], userinfo[STAFF_NAME]];
      }),
    );
    expect(seen).toEqual(people.map(({ id, userName }) => [userName, id, userName]));
  });
});

describe('A JWT access token that grows too long for a header', () => {
  const METADATA = 'urn:service:iam:user:metadata';

  it('loses the claims of extensions first, then all claims about the user; each time a warning is logged', async () => {
    const person = await world.add.person({ orgId: alice.orgId });
    const party = () => new RelyingParty(world, jwtClient);
    const jwtClient = await world.cast.web4;
    const scope = `openid hr ${METADATA}`;
    answer = async () => ({ [COST_CENTRE]: 'K'.repeat(3_000) });
    const short = decodeJwt((await party().tokens(person, { scope })).access_token);
    expect(short).toHaveProperty([COST_CENTRE]);

    await world.add.metadata(person.id, 'long', Buffer.alloc(5_000, 'x'));
    const { access_token: longer } = await party().tokens(person, { scope });
    expect(decodeJwt(longer)).not.toHaveProperty([COST_CENTRE]);
    expect(decodeJwt(longer)).toHaveProperty([METADATA, 'long']);
    expect(world.logText()).toMatch(/"reason":"token\.claims_left_out","omitted":"contributed"/);

    await world.add.metadata(person.id, 'longer', Buffer.alloc(20_000, 'x'));
    const { access_token: longest } = await party().tokens(person, { scope });
    expect(decodeJwt(longest)).not.toHaveProperty([METADATA]);
    expect(world.logText()).toMatch(/"reason":"token\.claims_left_out","omitted":"all"/);
    expect((await party().introspect(longest)).json()).toHaveProperty([COST_CENTRE]);
  });

  it('is previewed with the names of the claims that it would lack, over JSON and gRPC; no warning says that one was issued', async () => {
    const org = await world.add.org();
    const person = await world.add.person({ orgId: org.id });
    const { api } = await callerWith(world, org, ['ORG_OWNER']);
    const projectId = await world.add.project({ orgId: org.id });
    const jwtClient = await world.add.client({ projectId, accessTokenType: 'jwt' });
    const request = { userId: person.id, scopes: ['openid', 'hr', METADATA] };
    const path = `/management/v1/projects/${projectId}/apps/${jwtClient.id}/_preview`;
    const grpc = new GrpcClient(world.origin);
    const preview = methodsOf('service.management.v1.ManagementService')['PreviewTokens']!;
    const leftOut = async (): Promise<unknown> => {
      const lines = world.logText().length;
      const { leftOutClaims } = await api.call('POST', path, request);
      const { answer: message } = await grpc.call(
        preview,
        { projectId, appId: jwtClient.id, ...request },
        { authorization: `Bearer ${api.token}` },
      );
      expect(message?.['leftOutClaims']).toEqual(leftOutClaims);
      expect(world.logText().slice(lines)).not.toContain('claims_left_out');
      const issued = decodeJwt(
        (await new RelyingParty(world, jwtClient).tokens(person, { scope: 'openid hr' })).access_token,
      );
      expect(issued).toHaveProperty([COST_CENTRE]);
      return leftOutClaims;
    };
    try {
      answer = async () => ({ [COST_CENTRE]: 'K'.repeat(3_000), employee_number: 7 });
      expect(await leftOut()).toEqual([]);
      await world.add.metadata(person.id, 'long', Buffer.alloc(5_000, 'x'));
      expect(await leftOut()).toEqual([COST_CENTRE, 'employee_number']);
      await world.add.metadata(person.id, 'longer', Buffer.alloc(20_000, 'x'));
      expect(await leftOut()).toEqual([METADATA, COST_CENTRE, 'employee_number']);
    } finally {
      grpc.close();
    }
  });
});

// Last: the pause is five seconds of real time.
describe('A contributor that fails ten times in a row', () => {
  it('is not asked for a while, and its claims are left out', async () => {
    const { access_token: token } = await web1.tokens(alice, { scope: 'openid hr' });
    answer = () => Promise.reject(new Error('no connection'));
    asked.length = 0;
    for (let count = 0; count < 14; count += 1) await web1.userinfo(token);
    expect(asked.length).toBeLessThanOrEqual(10);
    answer = undefined;
    expect((await web1.userinfo(token)).json()).toEqual({ sub: alice.id });
  });
});
