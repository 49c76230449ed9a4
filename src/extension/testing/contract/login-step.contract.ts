import { paths } from '../../../org/instance/paths.js';
import { loginLanguages } from '../../../page/catalogue/catalogue.js';
import { LOGIN_STEP, type LoginStep } from '../../../session/auth-request/ext-login-step.js';
import type { Arrival, Page } from '../browser.js';
import type { TestClient, TestPerson } from '../builders.js';
import { type Reply, sendUnchecked } from '../http.js';
import { RelyingParty } from '../relying-party.js';
import type { World } from '../world.js';
import {
  broken,
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
import { markupFaults } from './markup.js';

/** @public */
export interface LoginStepContractInput {
  /** Where the step is shown: `/ui/login/ext/terms/accept`. */
  readonly path: string;
  /** The fields with which it is done. */
  readonly accept: Readonly<Record<string, string>>;
  /** Makes the step due for a new user, if it is not due by itself. */
  readonly given?: (user: TestPerson) => Promise<unknown>;
}

const HOSTILE = '"><img src=x onerror=alert(1)><script>alert(1)</script>';
const CALLBACK = '/oauth/v2/authorize/callback';
const TAKE = { decision: 'continue' };

type Over = Parameters<RelyingParty['authorize']>[0];

/**
 * What every login step keeps: it comes after the proof and before the answer, and is over once it is done; no address,
 * form, browser or other user leads past it, and `prompt=none` says that it is due; its form may arrive twice or
 * incomplete; who declines gets no code; a failure lets nobody past; tokens that were issued stay valid; its page is
 * well-formed in every language, with names that contain markup.
 *
 * It cannot prove that the step is due for the right users, nor what a page looks like: colours and narrow screens are
 * those of Gatehouse, which renders it. Labels, ids and languages of the markup are checked; a person with a screen
 * reader finds more.
 * @public
 */
export function loginStepContract(given: GivenWorld, input: LoginStepContractInput): readonly ContractCase[] {
  const on = (check: (stage: StepStage) => Promise<void>) => async (): Promise<void> =>
    check(await StepStage.set(worldOf(given), input));
  return [
    requirement('login step: it comes after the proof and before the answer, and is over once it is done', on(order)),
    requirement('login step: no address and no form leads past it', on(outOfTurn)),
    requirement('login step: prompt=none answers interaction_required while it is due', on(silent)),
    requirement('login step: a form without its token, or of another browser, takes nothing', on(foreignForms)),
    requirement("login step: one user's step is not another one's", on(otherUser)),
    requirement('login step: an incomplete form shows the page again, and takes nothing', on(incomplete)),
    requirement('login step: a form that is sent twice is taken', on(twice)),
    requirement('login step: who declines gets access_denied, and is asked again', on(declined)),
    requirement('login step: nobody gets past it while it fails', on(closed)),
    requirement('login step: refresh tokens are not affected', on(refresh)),
    requirement('login step: names that contain markup stay text', on(hostileNames)),
    requirement('login step: the page is well-formed in every language', on(languages)),
  ];
}

/** A user for whom the step is due, with an application of their own. */
class StepStage {
  private constructor(
    readonly world: World,
    readonly input: LoginStepContractInput,
    readonly part: LoginStep,
    readonly name: string,
    readonly client: TestClient,
    readonly user: TestPerson,
  ) {}

  static async set(world: World, input: LoginStepContractInput): Promise<StepStage> {
    const end = input.path.split('/').at(-1)!;
    const { part, name } = partOf(world, LOGIN_STEP, (step) => step.name === end, `a step at ${input.path}`);
    const stage = new StepStage(world, input, part, name, await world.add.application(), await world.add.user());
    await input.given?.(stage.user);
    return stage;
  }

  /** Opens a stage of this extension for another user or application. */
  with(user: TestPerson, client = this.client): StepStage {
    return new StepStage(this.world, this.input, this.part, this.name, client, user);
  }

  party(): RelyingParty {
    return new RelyingParty(this.world, this.client);
  }

  /** Goes as far as the user comes with the password. */
  async enter(party: RelyingParty, over: Over = {}): Promise<Arrival> {
    const arrival = await party.enter(await party.authorize(over), this.user);
    const isOffer = arrival.page?.find('button[name="factor"][value="skip"]') != null;
    return isOffer ? party.browser.submit(arrival.page, { factor: 'skip' }) : arrival;
  }

  /** The page of the step. @throws ContractBroken if another one is shown */
  pageOf(arrival: Arrival, when: string): Page {
    if (!arrival.page)
      return broken(
        `${when}, ${this.name} is left out: the application is answered with ${shown(answerOf(arrival.redirect))}.`,
      );
    require(this.isOn(
      arrival.page,
    ), `${when}, the page at ${arrival.page.path} is shown ("${arrival.page.heading}") instead of the one of ${this.name}.`);
    return arrival.page;
  }

  /** Recognizes the page by its form: a page is shown at the address of whatever led to it. */
  isOn(page: Page): boolean {
    return page.forms.some(({ action }) => action.startsWith(this.input.path));
  }

  async due(party: RelyingParty, over: Over = {}): Promise<Page> {
    return this.pageOf(await this.enter(party, over), 'After the password');
  }

  async accept(party: RelyingParty, page: Page): Promise<Arrival> {
    return party.browser.submit(page, { ...TAKE, ...this.input.accept });
  }

  /** Checks in another browser of the same user that nothing was taken. */
  async stillDue(when: string): Promise<void> {
    const party = this.party();
    this.pageOf(await this.enter(party), when);
  }

  codeOf(arrival: Arrival, when: string): string {
    const { code, error } =
      arrival.redirect === undefined
        ? { code: undefined, error: `the page at ${arrival.page.path}: ${arrival.page.text.slice(0, 200)}` }
        : answerOf(arrival.redirect);
    return code ?? broken(`${when}, the application gets no code, but ${String(error)}.`);
  }
}

function answerOf(redirect: string): Readonly<Record<string, string | undefined>> {
  return Object.fromEntries(new URL(redirect).searchParams);
}

async function order(stage: StepStage): Promise<void> {
  const party = stage.party();
  const first = (await party.authorize()).page;
  require(first !== undefined && !stage.isOn(first), `${stage.name} is shown before anybody has signed in.`);
  const page = stage.pageOf(await stage.enter(party), 'After the password');
  stage.codeOf(await stage.accept(party, page), `Once ${stage.name} is done`);
  stage.codeOf(await party.authorize(), `In a browser in which ${stage.name} was done`);
  stage.codeOf(await stage.enter(stage.party()), `In another browser of a user who has done ${stage.name}`);
}

async function outOfTurn(stage: StepStage): Promise<void> {
  const party = stage.party();
  const page = await stage.due(party);
  const { authRequestID: id = '', csrf = '' } = page.formWith('authRequestID').fields;
  const query = new URLSearchParams({ authRequestID: id }).toString();
  const ways: ReadonlyArray<readonly [string, () => Promise<Arrival>]> = [
    ['the callback', () => party.browser.get(`${CALLBACK}?${new URLSearchParams({ id }).toString()}`)],
    ['the start of the sign-in', () => party.browser.get(`${paths.hub}?${query}`)],
    ['a new request', () => party.authorize()],
    ['the form of another step', () => party.browser.post(paths.consent, { authRequestID: id, csrf, ...TAKE })],
  ];
  for (const [way, go] of ways) stage.pageOf(await go(), `By ${way}`);
}

async function silent(stage: StepStage): Promise<void> {
  const party = stage.party();
  await stage.due(party);
  const arrival = await party.authorize({ prompt: 'none' });
  if (arrival.redirect === undefined) return broken(`prompt=none shows the page at ${arrival.page.path}.`);
  requireSame(answerOf(arrival.redirect)['error'], 'interaction_required', 'The answer to prompt=none');
}

async function foreignForms(stage: StepStage): Promise<void> {
  const party = stage.party();
  const page = await stage.due(party);
  const form = page.formWith('authRequestID');
  const fields = { ...form.fields, ...TAKE, ...stage.input.accept };
  const path = form.action;
  const thief = stage.party();
  await thief.authorize();
  const tries: ReadonlyArray<readonly [string, Promise<Reply>]> = [
    ['without its token', party.browser.request('POST', path, { ...fields, csrf: '' })],
    ['with another token', party.browser.request('POST', path, { ...fields, csrf: 'x'.repeat(43) })],
    ['of another browser', thief.browser.request('POST', path, fields)],
  ];
  for (const [what, reply] of tries)
    require(!(await reply).location?.includes('code='), `A form ${what} leads past ${stage.name}.`);
  await stage.stillDue('After forms without their token');
}

async function otherUser(stage: StepStage): Promise<void> {
  const other = await stage.world.add.user();
  await stage.input.given?.(other);
  const party = stage.party();
  stage.codeOf(await stage.accept(party, await stage.due(party)), `Once ${stage.name} is done`);
  const second = stage.with(other);
  second.pageOf(await second.enter(party, { login_hint: other.loginName }), 'For another user of the same browser');
  await second.stillDue('For another user');
}

async function incomplete(stage: StepStage): Promise<void> {
  if (Object.keys(stage.input.accept).length === 0) return;
  const party = stage.party();
  const page = await stage.due(party);
  const again = stage.pageOf(await party.browser.submit(page, TAKE), 'After a form that is not filled in');
  const errors = again.all('[id$="-error"], .error, [role="alert"]').map(({ text }) => text.trim());
  require(errors.some(
    (text) => text !== '',
  ), `${stage.name} does not say what is missing in a form that is not filled in.`);
  await stage.stillDue('After a form that was not filled in');
  stage.codeOf(await stage.accept(party, again), `Once ${stage.name} is done at the second try`);
}

async function twice(stage: StepStage): Promise<void> {
  const party = stage.party();
  const form = (await stage.due(party)).formWith('authRequestID');
  const fields = { ...form.fields, ...TAKE, ...stage.input.accept };
  const replies = await Promise.all([1, 2].map(() => unchecked(stage, party, form.action, fields)));
  for (const { status, location } of replies)
    require(status === 303 ||
      status === 302, `A form of ${stage.name} that arrives twice is answered with ${status} (${String(location)}).`);
  stage.codeOf(await party.authorize(), 'After a form that has arrived twice');
}

async function declined(stage: StepStage): Promise<void> {
  const party = stage.party();
  const page = await stage.due(party);
  if (!page.find('button[name="decision"][value="decline"]')) return;
  const arrival = await party.browser.submit(page, { decision: 'decline' });
  requireSame(
    arrival.redirect && answerOf(arrival.redirect)['error'],
    'access_denied',
    `Who declines ${stage.name} gets an answer that`,
  );
  await stage.stillDue('For a user who has declined it');
}

async function closed(stage: StepStage): Promise<void> {
  const party = stage.party();
  const page = await stage.due(party);
  const form = page.formWith('authRequestID');
  const fail = (): Promise<never> => Promise.reject(new Error('The contract lets it throw.'));
  const answer = async (name: 'isDue' | 'page'): Promise<void> => {
    const arrival = await whileIt(stage.part, name, fail, () => party.authorize());
    const said = arrival.redirect === undefined ? arrival.page.path : answerOf(arrival.redirect)['error'];
    requireSame(said, 'temporarily_unavailable', `While ${stage.name}.${name} fails, the answer to the application`);
  };
  await answer('isDue');
  await answer('page');
  const reply = await whileIt(stage.part, 'submit', fail, () =>
    unchecked(stage, party, form.action, { ...form.fields, ...TAKE, ...stage.input.accept }),
  );
  requireSame(reply.status, 503, `While ${stage.name}.submit fails, the status of its form`);
  await stage.stillDue('After its failure');
}

/** Sends a request as a browser, which may be answered with 503. */
async function unchecked(
  stage: StepStage,
  { browser }: RelyingParty,
  path: string,
  body: Readonly<Record<string, string>>,
): Promise<Reply> {
  const Cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  return sendUnchecked(stage.world.origin, { method: 'POST', path, headers: { Cookie }, body });
}

async function refresh(stage: StepStage): Promise<void> {
  const party = stage.party();
  const page = await stage.due(party, { scope: 'openid offline_access' });
  const code = stage.codeOf(await stage.accept(party, page), `Once ${stage.name} is done`);
  const { refresh_token: token } = (await party.redeem(code)).json<{ refresh_token: string }>();
  const reply = await whileIt(
    stage.part,
    'isDue',
    async () => true,
    () => party.refresh(token),
  );
  requireSame(reply.status, 200, `While ${stage.name} is due again, the status of a refresh`);
}

async function hostileNames(stage: StepStage): Promise<void> {
  const user = await stage.world.add.user({ displayName: HOSTILE, firstName: HOSTILE, lastName: HOSTILE });
  await stage.input.given?.(user);
  const client = await stage.world.add.application({ name: HOSTILE });
  const hostile = stage.with(user, client);
  const page = await hostile.due(hostile.party());
  const strange = page
    .all('script, img')
    .filter(({ attributes }) => attributes['src'] === 'x' || 'onerror' in attributes);
  require(strange.length === 0, `The page of ${stage.name} takes a name for markup.`);
}

async function languages(stage: StepStage): Promise<void> {
  const party = stage.party();
  await stage.due(party);
  for (const language of loginLanguages) {
    party.browser.acceptLanguage = language;
    const page = stage.pageOf(await party.authorize(), `In ${language}`);
    require(page.heading.trim() !== '', `In ${language}, the page of ${stage.name} has no title.`);
    const faults = markupFaults(page);
    require(faults.length === 0, `In ${language}, the page of ${stage.name} has faults: ${faults.join('; ')}`);
  }
}
