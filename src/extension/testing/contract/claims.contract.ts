import { decodeJwt } from 'jose';
import { PartCalls } from '../../../foundation/extension/part-calls.js';
import {
  CLAIMS,
  type ClaimsContributor,
  type ClaimsPlace,
  type ClaimsQuestion,
  type JsonValue,
} from '../../../token/claims/claims-contributor.js';
import type { TestClient, TestPerson } from '../builders.js';
import { type Reply, sendUnchecked } from '../http.js';
import { bearer, paths, RelyingParty, type Tokens } from '../relying-party.js';
import { statementsDuring } from '../statement-counter.js';
import type { World } from '../world.js';
import {
  asked,
  broken,
  type ContractCase,
  type GivenWorld,
  onOneStage,
  partOf,
  require,
  requirement,
  requireSame,
  shown,
  whileIt,
  worldOf,
} from './contract.js';

/** @public */
export interface ClaimsContractInput {
  /** One that the contributor adds, and that leads to all of its claims. */
  readonly scope: string;
  /** Stores the facts of a user from which the claims are made; different ones for each user. */
  readonly given: (user: TestPerson) => Promise<unknown>;
  /** What the claims of such a user are. */
  readonly expect: Readonly<Record<string, JsonValue>> | ((user: TestPerson) => Readonly<Record<string, JsonValue>>);
  /** Takes away what a user has without `given`, such as what a listener stores of each new one. */
  readonly without?: (user: TestPerson) => Promise<unknown>;
  /** What the claims of a user without facts are; none by default. */
  readonly expectWithout?: Readonly<Record<string, JsonValue>>;
  /** How many statements it may take to answer once; 1 by default. */
  readonly statements?: number;
}

const PLACES: readonly ClaimsPlace[] = ['id_token', 'access_token', 'userinfo', 'introspection'];
const USUAL_PLACES: readonly ClaimsPlace[] = ['id_token', 'userinfo'];
const USUAL_LIMIT_MS = 300;
const MAX_BYTES = 4_096;
const AT_ONCE = 6;
/** How often a contributor may be late whose only fault is a busy machine. */
const ROUNDS = 5;

/**
 * What every contributor of claims keeps: its claims are in the places that it declares, by scope and by name, and
 * nowhere else; they are those of the user whom the token is about; it makes nothing undeclared; it is late or fails as
 * it declares; discovery and the preview of tokens agree; it writes nothing, and takes no more statements than
 * declared.
 *
 * It cannot prove that the claims are true, nor that a cache of the contributor's own is ever renewed.
 * @public
 */
export function claimsContract(given: GivenWorld, input: ClaimsContractInput): readonly ContractCase[] {
  const onStage = onOneStage(() => ClaimsStage.set(worldOf(given), input));
  const on = (check: (stage: ClaimsStage) => Promise<void>) => onStage((stage) => inTime(stage, check));
  return [
    requirement('claims: discovery lists the scope and every claim', on(inDiscovery)),
    requirement('claims: the scope puts them into the declared places, and into no other', on(byScope)),
    requirement('claims: without the scope they are nowhere', on(withoutScope)),
    requirement('claims: each can be requested by name, alone (OIDC Core §5.5)', on(byName)),
    requirement(
      'claims: a user never gets those of another one, also if both are asked about at the same time',
      on(ownOnly),
    ),
    requirement('claims: nothing undeclared, nothing but JSON, 4 kB at most', on(nothingElse)),
    requirement('claims: a user who is gone has none, without an error', on(unknownUser)),
    requirement('claims: a contributor that throws is left out or refused, as it declares', onStage(whenItThrows)),
    requirement('claims: a contributor that hangs is given up at its limit', onStage(whenItHangs)),
    requirement('claims: the preview of tokens agrees', on(inPreview)),
    requirement('claims: an answer takes no more statements than declared, and writes nothing', on(fewStatements)),
  ];
}

/** The stage of the cases: a contributor, an application, and two users with facts of their own. */
class ClaimsStage {
  private constructor(
    readonly world: World,
    readonly input: ClaimsContractInput,
    readonly part: ClaimsContributor,
    readonly name: string,
    readonly extension: string,
    readonly client: TestClient,
    readonly projectId: string,
    readonly one: TestPerson,
    readonly other: TestPerson,
    readonly without: TestPerson,
  ) {}

  static async set(world: World, input: ClaimsContractInput): Promise<ClaimsStage> {
    const { part, name, extension } = partOf(
      world,
      CLAIMS,
      ({ scopes }) => scopes.includes(input.scope),
      `a contributor that adds the scope ${input.scope}`,
    );
    const org = await world.add.usualOrg();
    const projectId = await world.add.project({ orgId: org.id });
    const client = await world.add.client({ projectId, accessTokenType: 'jwt' });
    const [one, other, without] = [await world.add.user(), await world.add.user(), await world.add.user()];
    await input.given(one);
    await input.given(other);
    await input.without?.(without);
    return new ClaimsStage(world, input, part, name, extension, client, projectId, one, other, without);
  }

  get places(): readonly ClaimsPlace[] {
    return this.part.places ?? USUAL_PLACES;
  }

  get scope(): string {
    return `openid ${this.input.scope}`;
  }

  get limitMs(): number {
    return this.part.timeoutMs ?? USUAL_LIMIT_MS;
  }

  claimsOf(user: TestPerson): Readonly<Record<string, JsonValue>> {
    if (user === this.without) return this.input.expectWithout ?? {};
    return typeof this.input.expect === 'function' ? this.input.expect(user) : this.input.expect;
  }

  async tokens(user: TestPerson, scope = this.scope, over: Readonly<Record<string, string>> = {}): Promise<Tokens> {
    return new RelyingParty(this.world, this.client).tokens(user, { scope, ...over });
  }

  /** The contributor's claims in each place. */
  async found(tokens: Tokens): Promise<Record<ClaimsPlace, Readonly<Record<string, unknown>>>> {
    const party = new RelyingParty(this.world, this.client);
    return {
      id_token: this.own(decodeJwt(tokens.id_token)),
      access_token: this.own(decodeJwt(tokens.access_token)),
      userinfo: this.own((await party.userinfo(tokens.access_token)).json()),
      introspection: this.own((await party.introspect(tokens.access_token)).json()),
    };
  }

  own(claims: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
    return Object.fromEntries(Object.entries(claims).filter(([name]) => this.part.claims.includes(name)));
  }

  async userinfo(token: string): Promise<Reply> {
    return sendUnchecked(this.world.origin, { path: paths.userinfo, headers: bearer(token) });
  }

  question(userId: string, over: Partial<ClaimsQuestion> = {}): ClaimsQuestion {
    return {
      place: this.places[0]!,
      userId,
      orgId: this.one.orgId,
      kind: 'human',
      client: { id: this.client.clientId, projectId: this.projectId },
      scopes: this.scope.split(' '),
      claimNames: [],
      ...over,
    };
  }
}

/** Repeats a check whose claims came too late: on a busy machine this is no finding. */
async function inTime(stage: ClaimsStage, check: (stage: ClaimsStage) => Promise<void>): Promise<void> {
  const calls = stage.world.get(PartCalls);
  const fail = calls.fail.bind(calls);
  for (let round = 1; ; round += 1) {
    const seen = { late: false };
    const noting: PartCalls['fail'] = (call, error) => {
      seen.late ||= call.of.name === stage.name && String(error).includes('It took longer than');
      return fail(call, error);
    };
    try {
      return await whileIt(calls, 'fail', noting, () => check(stage));
    } catch (error) {
      if (!seen.late || round === ROUNDS) throw error;
    }
  }
}

async function inDiscovery({ world, part, name }: ClaimsStage): Promise<void> {
  const { scopes_supported: scopes, claims_supported: claims } = (await world.discovery()) as Record<string, string[]>;
  for (const scope of part.scopes)
    require(scopes!.includes(scope), `Discovery does not list the scope ${scope} of ${name}.`);
  for (const claim of part.claims)
    require(claims!.includes(claim), `Discovery does not list the claim ${claim} of ${name}.`);
}

async function byScope(stage: ClaimsStage): Promise<void> {
  for (const user of [stage.one, stage.without]) {
    const found = await stage.found(await stage.tokens(user));
    for (const place of PLACES)
      requireSame(
        found[place],
        stage.places.includes(place) ? stage.claimsOf(user) : {},
        `What ${stage.name} says in ${place} of a user ${user === stage.one ? 'with' : 'without'} facts`,
      );
  }
}

async function withoutScope(stage: ClaimsStage): Promise<void> {
  const found = await stage.found(await stage.tokens(stage.one, 'openid'));
  for (const place of PLACES) requireSame(found[place], {}, `Without the scope, what ${stage.name} says in ${place}`);
}

async function byName(stage: ClaimsStage): Promise<void> {
  const expected = stage.claimsOf(stage.one);
  for (const name of stage.part.claims) {
    const request = { userinfo: { [name]: null }, id_token: { [name]: null } };
    const found = await stage.found(await stage.tokens(stage.one, 'openid', { claims: JSON.stringify(request) }));
    const alone = name in expected ? { [name]: expected[name] } : {};
    for (const place of ['id_token', 'userinfo'] as const)
      requireSame(
        found[place],
        stage.places.includes(place) ? alone : {},
        `If ${name} is requested by name, what ${stage.name} says in ${place}`,
      );
  }
}

async function ownOnly(stage: ClaimsStage): Promise<void> {
  const users = Array.from({ length: AT_ONCE }, (_, index) => [stage.one, stage.other, stage.without][index % 3]!);
  const tokens = new Map(
    await Promise.all([...new Set(users)].map(async (user) => [user, await stage.tokens(user)] as const)),
  );
  const place = stage.places.includes('userinfo') ? 'userinfo' : 'introspection';
  if (!stage.places.includes(place)) {
    for (const [user, { id_token: idToken }] of tokens)
      requireSame(stage.own(decodeJwt(idToken)), stage.claimsOf(user), `What ${stage.name} says of ${user.userName}`);
    return;
  }
  await Promise.all(
    users.map(async (user) => {
      const { access_token: token } = tokens.get(user)!;
      const party = new RelyingParty(stage.world, stage.client);
      const reply = place === 'userinfo' ? await party.userinfo(token) : await party.introspect(token);
      requireSame(
        stage.own(reply.json()),
        stage.claimsOf(user),
        `Asked about several users at once, what ${stage.name} says of ${user.userName}`,
      );
    }),
  );
}

async function nothingElse(stage: ClaimsStage): Promise<void> {
  const answer = await contribute(stage, stage.question(stage.one.id));
  for (const name of Object.keys(answer))
    require(stage.part.claims.includes(
      name,
    ), `${stage.name} makes the claim ${name}, which it does not declare: it is dropped.`);
  const text = JSON.stringify(answer);
  requireSame(JSON.parse(text), answer, `What ${stage.name} answers, once it is JSON,`);
  const bytes = Buffer.byteLength(text);
  require(bytes <= MAX_BYTES, `${stage.name} answers with ${bytes} bytes; at most ${MAX_BYTES} are taken.`);
}

async function unknownUser(stage: ClaimsStage): Promise<void> {
  const answer = await contribute(stage, stage.question('no-such-user'));
  requireSame(answer, stage.input.expectWithout ?? {}, `What ${stage.name} answers about a user who does not exist`);
}

async function contribute(stage: ClaimsStage, question: ClaimsQuestion): Promise<Readonly<Record<string, JsonValue>>> {
  const answer = await contributed(stage, question);
  if (typeof answer === 'object' && answer !== null) return answer as Readonly<Record<string, JsonValue>>;
  return broken(`${stage.name} answers ${shown(answer)} instead of an object.`);
}

/** Within the limit of the contributor, at one of several tries. */
async function contributed({ part, name, limitMs }: ClaimsStage, question: ClaimsQuestion): Promise<unknown> {
  for (let round = 1; ; round += 1) {
    const began = performance.now();
    try {
      return await asked(`${name}.contribute`, () => part.contribute(question, new AbortController().signal), limitMs);
    } catch (error) {
      if (round === ROUNDS || performance.now() - began < limitMs) throw error;
    }
  }
}

async function whenItThrows(stage: ClaimsStage): Promise<void> {
  await whenItFails(stage, async () => Promise.reject(new Error('The contract lets it throw.')));
}

async function whenItHangs(stage: ClaimsStage): Promise<void> {
  if (!stage.places.includes('userinfo')) return;
  const held: { ms?: number } = {};
  await whenItFails(stage, async (_, signal) => {
    const began = performance.now();
    signal.addEventListener('abort', () => (held.ms = performance.now() - began));
    return new Promise(() => undefined);
  });
  const { ms } = held;
  if (ms === undefined)
    return broken(`The signal that ${stage.name} gets is not aborted at its limit of ${stage.limitMs} ms.`);
  // A timer counts from the beginning of the turn in which it was set.
  require(ms > stage.limitMs / 2, `${stage.name} was given up after ${Math.round(ms)} ms, before its limit.`);
}

async function whenItFails(stage: ClaimsStage, does: ClaimsContributor['contribute']): Promise<void> {
  if (!stage.places.includes('userinfo')) return;
  const { access_token: token } = await stage.tokens(stage.one);
  const from = stage.world.logText().length;
  const reply = await whileIt(stage.part, 'contribute', does, () => stage.userinfo(token));
  const isRefused = stage.part.onFailure === 'refuse';
  requireSame(reply.status, isRefused ? 503 : 200, `With ${stage.name} failing, the status of userinfo`);
  if (!isRefused) requireSame(stage.own(reply.json()), {}, `What is left of ${stage.name} in userinfo when it fails`);
  const line = stage.world.logText().slice(from);
  require(line.includes(`"extension":"${stage.extension}"`), `The log does not say that ${stage.extension} failed.`);
}

async function inPreview(stage: ClaimsStage): Promise<void> {
  const api = await stage.world.manager(['ORG_OWNER'], await stage.world.add.usualOrg());
  const preview = await api.call<Record<string, Readonly<Record<string, unknown>> | undefined>>(
    'POST',
    `/management/v1/projects/${stage.projectId}/apps/${stage.client.id}/_preview`,
    { userId: stage.one.id, scopes: stage.scope.split(' ') },
  );
  const found = await stage.found(await stage.tokens(stage.one));
  const members = {
    id_token: 'idToken',
    access_token: 'accessToken',
    userinfo: 'userinfo',
    introspection: 'introspection',
  };
  for (const place of PLACES)
    requireSame(
      stage.own(preview[members[place]] ?? {}),
      found[place],
      `What the preview shows of ${stage.name} in ${place}`,
    );
}

async function fewStatements(stage: ClaimsStage): Promise<void> {
  const { statements: declared = 1 } = stage.input;
  const question = stage.question(stage.one.id);
  const own: string[] = [];
  const all = await statementsDuring(async () => {
    await contribute(stage, question);
  });
  own.push(...all.filter((text) => text.startsWith('ext.')));
  require(own.length <=
    declared, `${stage.name} takes ${own.length} statements for an answer; ${declared} declared: ${own.join(' | ')}`);
  const writing = all.find(
    (text) => text.startsWith('ext.') && /^ext\.\S+: \s*(insert|update|delete|truncate)\b/i.test(text),
  );
  require(writing === undefined, `${stage.name} writes while it is asked for claims, which may be in vain: ${writing}`);
}
