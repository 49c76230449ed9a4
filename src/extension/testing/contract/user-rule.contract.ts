import { USER_RULE, type UserRule, type UserVeto } from '../../../user/user-rule.js';
import type { AdminApi, Json } from '../admin-api.js';
import type { TestOrg } from '../builders.js';
import { type Reply, sendUnchecked } from '../http.js';
import { bearer } from '../relying-party.js';
import type { World } from '../world.js';
import {
  type ContractCase,
  type GivenWorld,
  partOf,
  require,
  requirement,
  requireSame,
  whileIt,
  worldOf,
} from './contract.js';

/** @public */
export interface UserRuleContractInput {
  /** What a person must be like to be refused: `{ userName: 'root' }`. */
  readonly refused: Readonly<Partial<Record<'userName' | 'firstName' | 'lastName' | 'nickName' | 'email', string>>>;
  /** Whether the rule is about changes as well, which it is by default. */
  readonly refusesChanges?: boolean;
  /** The class of the rule, where the extensions of the world have several. */
  readonly rule?: abstract new (
    ...values: never[]
  ) => object;
}

/**
 * What every rule about users keeps: who it refuses is not stored, by a creation or by a change, and the answer says
 * why; all others are; while it fails, is late or answers nonsense, nobody is stored, and the answer is 503.
 *
 * It cannot prove that the rule refuses the right people.
 * @public
 */
export function userRuleContract(given: GivenWorld, input: UserRuleContractInput): readonly ContractCase[] {
  const on = (check: (stage: Stage) => Promise<void>) => async (): Promise<void> => {
    const world = worldOf(given);
    const is = (part: UserRule): boolean => input.rule === undefined || part instanceof input.rule;
    const { part } = partOf(world, USER_RULE, is, 'a rule about users');
    const org = await world.add.org();
    await check({ world, input, part, org, api: await world.manager(['ORG_OWNER'], org) });
  };
  return [
    requirement('user rule: who it refuses is not stored, and the answer says why', on(creation)),
    requirement('user rule: nobody becomes what it refuses by a change', on(change)),
    requirement('user rule: others are stored', on(others)),
    requirement('user rule: while it fails, nobody is stored', on(failure)),
  ];
}

interface Stage {
  readonly world: World;
  readonly input: UserRuleContractInput;
  readonly part: UserRule;
  readonly org: TestOrg;
  readonly api: AdminApi;
}

const USERS = '/management/v1/users/human';

let count = 0;

function personWith(refused: UserRuleContractInput['refused']): object {
  count += 1;
  const { userName = `ruled-${count}`, email = `ruled-${count}@ruled.test`, ...names } = refused;
  return {
    userName,
    profile: { firstName: 'Ruled', lastName: 'Person', ...names },
    email: { email, isEmailVerified: true },
  };
}

async function usersOf({ world, org }: Stage): Promise<number> {
  const [row] = await world.sql<{ count: string }>`
    SELECT count(*) AS count FROM user_account WHERE org_id = ${org.id} AND kind = 'human'`;
  return Number(row!.count);
}

/** What a call answers, and whether the rule refused it. */
async function asked(
  { part }: Stage,
  call: () => Promise<Reply>,
): Promise<{ readonly reply: Reply; readonly veto: UserVeto | undefined }> {
  const check = part.check.bind(part);
  const vetoes: Array<UserVeto | undefined> = [];
  const recording: UserRule['check'] = async (...given) => {
    const veto = await check(...given);
    vetoes.push(veto);
    return veto;
  };
  const reply = await whileIt(part, 'check', recording, call);
  const veto = vetoes.find((one) => one !== undefined);
  if (veto) {
    requireSame(reply.status, 400, 'the status for what the rule refuses');
    require(reply.text.includes(veto.message), `The answer does not say why the rule refuses: ${reply.text}`);
  }
  return { reply, veto };
}

async function creation(stage: Stage): Promise<void> {
  const { veto } = await asked(stage, () =>
    stage.api.ask('POST', USERS, JSON.stringify(personWith(stage.input.refused))),
  );
  require(veto !== undefined, 'The rule did not refuse a new user with what `refused` says.');
  requireSame(await usersOf(stage), 0, 'the number of users who were stored');
}

async function change(stage: Stage): Promise<void> {
  const { api, input, world } = stage;
  if (input.refusesChanges === false) return;
  const { userId } = await api.call<{ userId: string }>('POST', USERS, { ...personWith({}) });
  const factsOf = (): Promise<object[]> => world.sql`
    SELECT user_name, email, first_name, last_name, nick_name FROM user_account WHERE id = ${userId}`;
  const before = await factsOf();
  const { userName, email, ...names } = input.refused;
  const path = `/management/v1/users/${userId}`;
  const changes: ReadonlyArray<readonly [string, Json] | undefined> = [
    userName === undefined ? undefined : [`${path}/username`, { userName }],
    email === undefined ? undefined : [`${path}/email`, { email, isEmailVerified: true }],
    Object.keys(names).length === 0
      ? undefined
      : [`${path}/profile`, { firstName: 'Ruled', lastName: 'Person', ...names }],
  ];
  const needed = changes.filter((one) => one !== undefined);
  let isRefused = false;
  for (const [address, body] of needed) {
    const { veto } = await asked(stage, () => api.ask('PUT', address, body));
    isRefused ||= veto !== undefined;
  }
  require(isRefused, 'No change was refused. Say refusesChanges: false, if the rule is about new users alone.');
  if (needed.length === 1) requireSame(await factsOf(), before, 'the user after the refused change');
}

async function others(stage: Stage): Promise<void> {
  await stage.api.call('POST', USERS, { ...personWith({}) });
  requireSame(await usersOf(stage), 1, 'the number of users who were stored');
}

async function failure(stage: Stage): Promise<void> {
  const { world, part, api } = stage;
  const ways: ReadonlyArray<readonly [string, UserRule['check']]> = [
    ['throws', () => Promise.reject(new Error('the rule of the contract fails'))],
    ['is late', () => new Promise(() => undefined)],
    ['answers nonsense', () => Promise.resolve({ message: '' })],
  ];
  for (const [what, does] of ways) {
    const reply = await whileIt(part, 'check', does, () =>
      sendUnchecked(world.origin, {
        method: 'POST',
        path: USERS,
        headers: { ...bearer(api.token), 'Content-Type': 'application/json' },
        body: JSON.stringify(personWith({})),
      }),
    );
    requireSame(reply.status, 503, `the status while the rule ${what}`);
  }
  requireSame(await usersOf(stage), 0, 'the number of users who were stored');
}
