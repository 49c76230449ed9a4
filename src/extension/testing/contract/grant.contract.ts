import { decodeJwt } from 'jose';
import {
  type ExtGrant,
  GRANT,
  MAX_PARAMETER_CHARACTERS,
  USUAL_GRANT_LIMIT_MS,
} from '../../../project/client/ext-grant.js';
import { UserService } from '../../../user/user.service.js';
import { EDITOR, type TestPerson } from '../builders.js';
import { type Reply, sendUnchecked } from '../http.js';
import { paths, RelyingParty, type Tokens } from '../relying-party.js';
import type { World } from '../world.js';
import {
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
export interface GrantContractInput {
  /** The name of the grant. */
  readonly grant: string;
  /** Parameters that stand for this user; new ones each time if they can be used once only. */
  readonly parametersOf: (
    user: TestPerson,
  ) => Promise<Readonly<Record<string, string>>> | Readonly<Record<string, string>>;
  /** Parameters that stand for nobody; one at least. */
  readonly wrong: readonly Readonly<Record<string, string>>[];
  /** Whether parameters can be used once only. */
  readonly once?: boolean;
}

const AT_ONCE = 5;
/** Values that callers send by mistake, and on purpose. */
const ODD: readonly string[] = [
  '0',
  '-1',
  'null',
  'undefined',
  '__proto__',
  '{}',
  '[]',
  '"',
  "' OR 1=1 --",
  '../../etc/passwd',
  '%00',
  'a.b.c',
  'eyJhbGciOiJub25lIn0.e30.',
  'ü'.repeat(20),
  '\u202e\ud83d\udd11',
  '\r\nSet-Cookie: a=b',
];

/**
 * What every grant keeps: its parameters give tokens of the user whom they stand for, also at the same time as those of
 * others; wrong and odd ones are refused, and never make it fail; what can be used once gives tokens once; proofs are
 * words of RFC 8176; refresh tokens come only where it says so; if it throws or hangs there are no tokens, and the next
 * request is answered again.
 *
 * It cannot prove that the parameters are hard to guess or to forge, nor that they stand for nobody any more once they
 * were withdrawn.
 * @public
 */
export function grantContract(given: GivenWorld, input: GrantContractInput): readonly ContractCase[] {
  const on = onOneStage(() => GrantStage.set(worldOf(given), input));
  return [
    requirement('grant: discovery lists it', on(inDiscovery)),
    requirement('grant: its parameters give tokens of their user', on(ofUser)),
    requirement('grant: at the same time as those of others, too', on(atOnce)),
    requirement('grant: wrong parameters are refused (RFC 6749 §5.2)', on(wrongOnes)),
    requirement('grant: odd parameters never make it fail', on(oddOnes)),
    requirement('grant: what can be used once gives tokens once', on(onceOnly)),
    requirement('grant: a user who is inactive gets no tokens', on(inactive)),
    requirement('grant: an application without it gets no tokens', on(withoutIt)),
    requirement('grant: refresh tokens come only where it says so', on(refreshTokens)),
    requirement('grant: if it throws or hangs there are no tokens, until it works again', on(whenItFails)),
  ];
}

class GrantStage {
  private constructor(
    readonly world: World,
    readonly input: GrantContractInput,
    readonly part: ExtGrant,
    readonly name: string,
    readonly party: RelyingParty,
    readonly stranger: RelyingParty,
    readonly one: TestPerson,
    readonly other: TestPerson,
  ) {}

  static async set(world: World, input: GrantContractInput): Promise<GrantStage> {
    const { part, name } = partOf(world, GRANT, (grant) => grant.name === input.grant, `a grant named ${input.grant}`);
    require(input.wrong.length > 0, `Give wrong parameters of ${name}, too.`);
    const party = new RelyingParty(world, await world.add.application({ extensionGrants: [input.grant] }));
    const stranger = new RelyingParty(world, await world.add.application());
    return new GrantStage(world, input, part, name, party, stranger, await world.add.user(), await world.add.user());
  }

  async parametersOf(user: TestPerson): Promise<Readonly<Record<string, string>>> {
    return this.input.parametersOf(user);
  }

  async ask(parameters: Readonly<Record<string, string>>, scope = 'openid', by = this.party): Promise<Reply> {
    const { headers, parameters: credentials } = await by.credentials();
    return sendUnchecked(this.world.origin, {
      method: 'POST',
      path: paths.token,
      headers,
      body: { ...credentials, grant_type: this.input.grant, scope, ...parameters },
    });
  }

  /** Tokens of this user. @throws ContractBroken */
  requireTokensOf(user: TestPerson, reply: Reply, what: string): Tokens {
    require(reply.status === 200, `${this.name} answers ${reply.status} ${reply.text} to ${what}.`);
    const tokens = reply.json<Tokens>();
    const { sub } = decodeJwt(tokens.id_token);
    require(sub === user.id, `${this.name} names ${shown(sub)} instead of ${shown(user.id)} for ${what}.`);
    return tokens;
  }

  /** @throws ContractBroken */
  requireRefused(reply: Reply, what: string): void {
    require(reply.status !== 200, `${this.name} gives tokens for ${what}.`);
    require(reply.status <
      500, `${this.name} fails for ${what}: refuse it by an error of RFC 6749 §5.2. The log says why.`);
    require(reply.status !== 429, 'Attempts are limited in this world: start it with loginLimits off.');
  }
}

async function inDiscovery({ world, input, name }: GrantStage): Promise<void> {
  const { grant_types_supported: grants } = (await world.discovery()) as Record<string, string[]>;
  require(grants?.includes(input.grant) === true, `Discovery does not list ${input.grant} of ${name}.`);
}

async function ofUser(stage: GrantStage): Promise<void> {
  for (const user of [stage.one, stage.other]) {
    const tokens = stage.requireTokensOf(
      user,
      await stage.ask(await stage.parametersOf(user)),
      `parameters of ${user.userName}`,
    );
    const userinfo = await stage.party.userinfo(tokens.access_token);
    requireSame(userinfo.json<{ sub: string }>().sub, user.id, 'The sub in userinfo');
  }
}

async function atOnce(stage: GrantStage): Promise<void> {
  const users = Array.from({ length: 2 * AT_ONCE }, (_, index) => (index % 2 === 0 ? stage.one : stage.other));
  const asked = await Promise.all(users.map((user) => stage.parametersOf(user)));
  const replies = await Promise.all(asked.map((parameters) => stage.ask(parameters)));
  replies.forEach((reply, index) => {
    stage.requireTokensOf(users[index]!, reply, 'parameters that were sent at the same time as others');
  });
}

async function wrongOnes(stage: GrantStage): Promise<void> {
  for (const parameters of stage.input.wrong)
    stage.requireRefused(await stage.ask(parameters), `the wrong parameters ${shown(parameters)}`);
}

/** Sends each odd value in the place of each right one. */
async function oddOnes(stage: GrantStage): Promise<void> {
  for (const { name, maxLength = MAX_PARAMETER_CHARACTERS } of stage.part.parameters) {
    for (const odd of [...ODD, 'a'.repeat(maxLength)].filter((text) => text.length <= maxLength)) {
      const right = await stage.parametersOf(stage.one);
      const reply = await stage.ask({ ...right, [name]: odd });
      const what = `${name}=${shown(odd.slice(0, 40))}`;
      // A parameter that may be absent may also mean nothing.
      if (reply.status === 200) stage.requireTokensOf(stage.one, reply, what);
      else stage.requireRefused(reply, what);
    }
  }
}

async function onceOnly(stage: GrantStage): Promise<void> {
  if (stage.input.once !== true) return;
  const parameters = await stage.parametersOf(stage.one);
  const replies = await Promise.all(Array.from({ length: AT_ONCE }, () => stage.ask(parameters)));
  const successes = replies.filter(({ status }) => status === 200).length;
  requireSame(successes, 1, `How often ${stage.name} gives tokens for parameters that were sent ${AT_ONCE} times`);
  stage.requireRefused(await stage.ask(parameters), 'parameters that were used');
}

async function inactive(stage: GrantStage): Promise<void> {
  const user = await stage.world.add.user();
  const parameters = await stage.parametersOf(user);
  await stage.world.transaction((tx) => stage.world.get(UserService).changeState(tx, user.id, 'inactive', EDITOR));
  stage.requireRefused(await stage.ask(parameters), 'a user who is inactive');
}

async function withoutIt(stage: GrantStage): Promise<void> {
  const reply = await stage.ask(await stage.parametersOf(stage.one), 'openid', stage.stranger);
  stage.requireRefused(reply, 'an application that does not have it');
}

async function refreshTokens(stage: GrantStage): Promise<void> {
  const reply = await stage.ask(await stage.parametersOf(stage.one), 'openid offline_access');
  const tokens: Partial<Tokens> = stage.requireTokensOf(stage.one, reply, 'offline_access');
  requireSame(
    tokens.refresh_token !== undefined,
    stage.part.refreshTokens === true,
    `Whether ${stage.name} gives a refresh token`,
  );
}

async function whenItFails(stage: GrantStage): Promise<void> {
  const failures = [() => Promise.reject(new Error('contract')), () => new Promise<never>(() => undefined)];
  for (const does of failures) {
    const parameters = await stage.parametersOf(stage.one);
    const reply = await whileIt(stage.part, 'decide', does, () => stage.ask(parameters));
    requireSame(reply.status, 503, `While ${stage.name} fails or hangs for ${limitOf(stage.part)} ms, the status`);
    stage.requireTokensOf(stage.one, await stage.ask(parameters), 'the same parameters after a failure');
  }
}

function limitOf({ timeoutMs = USUAL_GRANT_LIMIT_MS }: ExtGrant): number {
  return timeoutMs;
}
