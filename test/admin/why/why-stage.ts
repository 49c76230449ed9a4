import { expect } from '@jest/globals';
import { LOGIN_STEPS, type LoginStep } from '../../../src/login/login-step.js';
import { OtherStep } from '../../extension/login-steps.js';
import { App } from '../../login/factor-turns.js';
import { AdminApi, type Json } from '../../support/admin-api.js';
import type { Arrival, Page } from '../../support/browser.js';
import type { TestOrg, TestPerson } from '../../support/builders.js';
import type { Parameters } from '../../support/http.js';
import { codeIn, lastMailTo } from '../../support/mails.js';
import { operationsOf, pathFieldsOf, pathOf } from '../../support/operations.js';
import { type Answer, RelyingParty } from '../../support/relying-party.js';
import type { World } from '../../support/world.js';

export interface Mend {
  readonly operationId: string;
  readonly parameters: Json;
  readonly orgId: string;
  readonly isAllowed: boolean;
  readonly permission: string;
}

export interface Rule {
  readonly name: string;
  readonly setting: string;
  readonly ownerType: string;
  readonly ruleOwnerId: string;
  readonly ownerName: string;
  readonly changedDate?: string;
  readonly changedByName: string;
  readonly isDefault: boolean;
}

export interface Link {
  readonly code: string;
  readonly effect: string;
  readonly sentence: string;
  readonly step: string;
  readonly rule?: Rule;
  readonly mends: readonly Mend[];
  readonly untilDate?: string;
}

export interface Explanation {
  readonly canSignIn: string;
  readonly summary: string;
  readonly chain: readonly Link[];
  readonly limits: ReadonlyArray<{
    readonly sentence: string;
    readonly isReached: boolean;
    readonly untilDate?: string;
  }>;
  readonly failures: ReadonlyArray<{ readonly date: string; readonly reason: string; readonly sentence: string }>;
  readonly factors: ReadonlyArray<{ readonly kind: string; readonly count: number }>;
}

export const NEW_PASSWORD = 'Another-Horse-8-Another-Horse';
const MOST_PAGES = 20;

/** Asks why, does what the answer says, and then walks through the pages as the person. */
export class WhyStage {
  private readonly pages: ReadonlyMap<string, string>;

  constructor(
    readonly world: World,
    readonly owner: AdminApi,
  ) {
    const steps = world.application.get<readonly LoginStep[]>(LOGIN_STEPS, { strict: false });
    this.pages = new Map(steps.map(({ path, step }) => [path, step]));
    world.plant(NEW_PASSWORD);
  }

  async explain(person: { readonly id: string; readonly orgId: string }, asked: Json = {}, as = this.owner) {
    return as.about(person.orgId).call<Explanation>('POST', `/management/v1/users/${person.id}/_explain`, asked);
  }

  /** The link that decides, with everybody's ids. */
  async refusal(person: TestPerson, asked: Json = {}, as = this.owner): Promise<Link> {
    const { canSignIn, chain, summary } = await this.explain(person, asked, as);
    const refusals = chain.filter(({ effect }) => effect === 'SIGN_IN_LINK_EFFECT_REFUSES');
    expect([canSignIn, refusals.length > 0]).toEqual(['CAN_SIGN_IN_NO', true]);
    expect(summary).toContain(refusals[0]!.sentence);
    return refusals[0]!;
  }

  /** Calls the operation that an answer names, with the parameters that it gives. */
  async mend({ operationId, parameters, orgId }: Mend, as = this.owner): Promise<void> {
    const operation = operationsOf(this.world).find(({ facts }) => facts.id === operationId);
    if (!operation) throw new Error(`There is no operation ${operationId}.`);
    const inPath = pathFieldsOf(operation);
    const rest = Object.fromEntries(Object.entries(parameters).filter(([name]) => !inPath.includes(name)));
    const caller = orgId === '' ? as : as.about(orgId);
    const hasBody = operation.method !== 'DELETE' && operation.method !== 'GET';
    await caller.call(
      operation.method,
      pathOf(operation, parameters as Record<string, string>),
      hasBody ? rest : undefined,
    );
    await this.world.changesToArrive();
  }

  /** The steps whose pages are shown, in order, and what the application gets in the end. */
  async walk(
    client: RelyingParty,
    person: TestPerson,
    { over = {}, app }: { readonly over?: Parameters; readonly app?: App } = {},
  ): Promise<{ readonly steps: readonly string[]; readonly answer: Answer | undefined; readonly page?: Page }> {
    const steps: string[] = [];
    let arrival = await client.authorize(over);
    while (arrival.page !== undefined) {
      const { page } = arrival;
      const step = page.forms.map(({ action }) => this.pages.get(action)).find((name) => name !== undefined) ?? '';
      if (page.status >= 400 || step === '' || steps.length > MOST_PAGES) return { steps, answer: undefined, page };
      steps.push(step);
      arrival = await this.take(client, page, step, person, app);
    }
    return { steps, answer: client.toAnswer(arrival) };
  }

  /** Signs in through the pages. @throws Error if the application gets no code */
  async signIn(client: RelyingParty, person: TestPerson, over: Parameters = {}, app?: App): Promise<void> {
    const { answer, steps, page } = await this.walk(client.elsewhere(), person, { over, ...(app ? { app } : {}) });
    if (answer?.code === undefined)
      throw new Error(`No code after ${steps.join(', ')}: ${page?.text ?? JSON.stringify(answer)}`);
  }

  private async take(
    { browser }: RelyingParty,
    page: Page,
    step: string,
    person: TestPerson,
    app: App | undefined,
  ): Promise<Arrival> {
    if (step.startsWith('ext/')) return browser.submit(page, { decision: 'continue' });
    switch (step) {
      case 'login-name':
        return browser.submit(page, { loginName: person.loginName });
      case 'password':
        return browser.submit(page, { password: person.password });
      case 'totp':
        return browser.submit(page, { code: app!.code() });
      case 'offer-factor':
        return browser.submit(page, { factor: page.find('button[value="skip"]') ? 'skip' : 'otp' });
      case 'offer-passkey':
        return browser.submit(page, { factor: 'skip' });
      case 'set-up-totp': {
        this.world.clock.advance('40s');
        const shown = new App(this.world, page.find('code')!.text.replaceAll(' ', ''));
        return browser.submit(page, { code: shown.code() });
      }
      case 'recovery-codes':
        for (const { text } of page.all('.codes code')) this.world.plant(text);
        return browser.submit(page, { decision: 'kept' });
      case 'verify-email':
        return browser.submit(page, { code: codeIn(this.world, await lastMailTo(this.world, person.email)) });
      case 'change-password':
        return browser.submit(page, {
          oldPassword: person.password,
          newPassword: NEW_PASSWORD,
          newPasswordRepeat: NEW_PASSWORD,
        });
      case 'password-expiry':
        return browser.submit(page, { decision: 'later' });
      case 'consent':
        return browser.submit(page, { decision: 'continue' });
      default:
        throw new Error(`Nobody knows how to take ${step}: ${page.text}`);
    }
  }
}

/** A moment as sentences write it: `12 May 2026`. */
export function dayOf(moment: Date): string {
  return moment.toLocaleDateString('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' });
}

/** A manager with a name, so that a sentence can say who changed something. */
export async function managerNamed(
  world: World,
  org: TestOrg,
  userName: string,
  roles: readonly string[],
): Promise<AdminApi> {
  const { id, pat } = await world.add.service({ orgId: org.id, userName });
  const ofOrg = roles.filter((role) => role.startsWith('ORG_'));
  const ofInstance = roles.filter((role) => !role.startsWith('ORG_'));
  const instanceId = await world.instanceId();
  if (ofOrg.length > 0) await world.add.member(id, ofOrg, { level: 'org', objectId: org.id, orgId: org.id });
  if (ofInstance.length > 0)
    await world.add.member(id, ofInstance, { level: 'instance', objectId: instanceId, orgId: instanceId });
  return new AdminApi(world.origin, pat);
}

/** Somebody whom sentences call Ilse. */
export async function ilseOf(
  world: World,
  orgId: string,
  input: { readonly password?: string } = {},
): Promise<TestPerson> {
  const profile = { firstName: 'Ilse', lastName: 'Brandt', displayName: 'Ilse' };
  return world.add.person({ orgId, profile, ...input });
}

/** Lets the step of an extension decide about one person. */
export function stepDecides(person: TestPerson, due: unknown): void {
  OtherStep.does = { isDue: (turn: { userId: string }) => (turn.userId === person.id ? due : false) };
}

/** The steps that an explanation names. */
export function stepsOf({ chain }: Explanation): string[] {
  return chain.filter(({ effect }) => effect === 'SIGN_IN_LINK_EFFECT_ASKS').map(({ step }) => step);
}
