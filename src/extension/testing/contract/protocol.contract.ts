import { PROTOCOL, type SignInProtocol } from '../../../session/auth-request/ext-protocol.js';
import { type Arrival, Browser } from '../browser.js';
import type { TestPerson } from '../builders.js';
import { sendUnchecked } from '../http.js';
import { RelyingParty } from '../relying-party.js';
import type { World } from '../world.js';
import {
  type ContractCase,
  type GivenWorld,
  partOf,
  require,
  requirement,
  requireSame,
  shown,
  whileIt,
  worldOf,
} from './contract.js';

/** @public */
export interface ProtocolContractInput {
  /** The name of the protocol. */
  readonly protocol: string;
  /** The id of an application of the extension that admits every user of the instance. */
  readonly applicationId: string;
  /** Where a browser begins to sign in to it. @param silently whether it asks for an answer without any page */
  readonly begin: (silently: boolean) => string | Promise<string>;
  /**
   * What the application has been told: the id, name or address of a user, which is in what is read, or `undefined` for
   * a refusal.
   */
  readonly read: (arrival: Arrival) => string | undefined | Promise<string | undefined>;
}

/**
 * What every protocol of an extension keeps: the application is told who has signed in and nobody else, at once where
 * nothing is missing; it is refused without a page where it wants none; nobody is signed in to it who went back, whose
 * account is closed, or while it is inactive; what is sent twice changes nothing; and a failure tells it nothing.
 *
 * It cannot prove that an answer is well-formed, signed, or sent to the right place: it does not know the protocol.
 * @public
 */
export function protocolContract(given: GivenWorld, input: ProtocolContractInput): readonly ContractCase[] {
  const on = (check: (stage: Stage) => Promise<void>) => async (): Promise<void> => {
    const world = worldOf(given);
    const { part, name } = partOf(world, PROTOCOL, (one) => one.name === input.protocol, `the name ${input.protocol}`);
    await check(new Stage(world, input, part, name, await world.add.user()));
  };
  return [
    requirement('protocol: the application is told who has signed in, and at once the next time', on(signsIn)),
    requirement('protocol: it is refused without a page where it wants none', on(silent)),
    requirement('protocol: nobody is signed in who went back', on(declined)),
    requirement('protocol: nobody is signed in whose account is closed', on(closed)),
    requirement('protocol: nobody is signed in to an application that is inactive', on(inactive)),
    requirement('protocol: two users at the same time are told apart', on(twoUsers)),
    requirement('protocol: a failure tells the application nothing', on(failing)),
  ];
}

class Stage {
  readonly browser: Browser;

  constructor(
    readonly world: World,
    readonly input: ProtocolContractInput,
    readonly part: SignInProtocol,
    readonly name: string,
    readonly user: TestPerson,
  ) {
    this.browser = new Browser(world);
  }

  async begin(silently = false): Promise<Arrival> {
    return this.browser.get(await this.input.begin(silently));
  }

  /** As far as the user comes with the password; what is only offered is declined. */
  async signIn(arrival: Arrival, user = this.user): Promise<Arrival> {
    const party = new RelyingParty(this.world, await this.world.add.application(), this.browser);
    const past = await party.enter(arrival, user);
    const isOffer = past.page?.find('button[name="factor"][value="skip"]') != null;
    return isOffer ? this.browser.submit(past.page, { factor: 'skip' }) : past;
  }

  async requireUser(arrival: Arrival, when: string, user = this.user): Promise<void> {
    const told = await this.input.read(arrival);
    const isThis = [user.id, user.userName, user.loginName, user.email].some((one) => told?.includes(one));
    require(isThis, `${when}, ${this.name} tells the application ${shown(told)} instead of ${user.userName}.`);
  }

  async requireNobody(arrival: Arrival, when: string): Promise<void> {
    const told = isPageOfOurs(arrival) ? undefined : await this.input.read(arrival);
    requireSame(told, undefined, `${when}, what ${this.name} tells the application`);
  }
}

/** A page without a form that leads to another site. */
function isPageOfOurs({ page }: Arrival): boolean {
  return page !== undefined && !page.forms.some(({ action }) => /^https?:/.test(action));
}

async function signsIn(stage: Stage): Promise<void> {
  const begun = await stage.begin();
  require(isPageOfOurs(begun), `${stage.name} answers before anybody has signed in.`);
  await stage.requireUser(await stage.signIn(begun), 'After the sign-in');
  await stage.requireUser(await stage.begin(), 'With a session');
  await stage.requireUser(await stage.begin(true), 'With a session, and without a page');
}

async function silent(stage: Stage): Promise<void> {
  const arrival = await stage.begin(true);
  require(!isPageOfOurs(arrival), `${stage.name} shows a page where the application wants none.`);
  await stage.requireNobody(arrival, 'Without a session');
}

async function declined(stage: Stage): Promise<void> {
  const { page } = await stage.begin();
  require(page !== undefined, `${stage.name} answers before anybody has signed in.`);
  const form = page.formWith('csrf');
  await stage.requireNobody(await stage.browser.post('/ui/login/decline', form.fields), 'After the user went back');
}

async function closed(stage: Stage): Promise<void> {
  const { world, user } = stage;
  await stage.signIn(await stage.begin());
  await (await world.manager(['IAM_OWNER']))
    .about(user.orgId)
    .call('POST', `/management/v1/users/${user.id}/_deactivate`, {});
  await stage.requireNobody(await stage.begin(), 'After the account was closed');
  await stage.requireNobody(await stage.begin(true), 'After the account was closed');
}

async function inactive(stage: Stage): Promise<void> {
  const { world, input } = stage;
  await stage.signIn(await stage.begin());
  const [row] = await world.rows<{ projectId: string; orgId: string }>(
    `SELECT c.project_id AS "projectId", p.org_id AS "orgId"
     FROM client c JOIN project p ON p.id = c.project_id
     WHERE c.id = $1`,
    [input.applicationId],
  );
  require(row !== undefined, `There is no application with the id ${input.applicationId}.`);
  const owner = (await world.manager(['IAM_OWNER'])).about(row.orgId);
  const its = `/management/v1/projects/${row.projectId}/apps/${input.applicationId}`;
  await owner.call('POST', `${its}/_deactivate`, {});
  try {
    await stage.requireNobody(await stage.begin(), 'While the application is inactive');
  } finally {
    await owner.call('POST', `${its}/_reactivate`, {});
  }
  await stage.requireUser(await stage.begin(), 'After the application was activated again');
}

async function twoUsers(stage: Stage): Promise<void> {
  const theirs = new Stage(stage.world, stage.input, stage.part, stage.name, await stage.world.add.user());
  const [mine, other] = [await stage.begin(), await theirs.begin()];
  await theirs.requireUser(await theirs.signIn(other), 'Of two users at the same time');
  await stage.requireUser(await stage.signIn(mine), 'Of two users at the same time');
}

async function failing(stage: Stage): Promise<void> {
  const { world, part, input, browser } = stage;
  await stage.signIn(await stage.begin());
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  await whileIt(
    part,
    'answer',
    async () => {
      throw new Error('It was told to fail.');
    },
    async () => {
      const { status, headers } = await sendUnchecked(world.origin, {
        path: await input.begin(false),
        headers: { Cookie: cookie },
      });
      require(status === 503 && headers.location === undefined, `While it fails, ${stage.name} answers ${status}.`);
    },
  );
}
