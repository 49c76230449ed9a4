import { paths as pagePaths } from '../../src/org/instance/paths.js';
import { type Arrival, Browser, type Page } from './browser.js';
import type { TestClient, TestPerson } from './builders.js';
import type { Parameters, Reply } from './http.js';
import { type Place, paths, RelyingParty } from './relying-party.js';
import type { World } from './world.js';

export const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';

/** RFC 8628 §3.2. */
export interface Codes {
  readonly device_code: string;
  readonly user_code: string;
  readonly verification_uri: string;
  readonly verification_uri_complete: string;
  readonly expires_in: number;
  readonly interval: number;
}

/** A device without a browser, and beside it somebody with one. */
export class Device {
  readonly client: RelyingParty;
  readonly browser: Browser;

  constructor(
    readonly world: World,
    client: TestClient,
    browser = new Browser(world),
  ) {
    this.client = new RelyingParty(world, client, browser);
    this.browser = browser;
  }

  async ask(form: Parameters = { scope: 'openid' }, at: Place = this.world): Promise<Reply> {
    return this.client.post(paths.deviceAuthorization, form, at);
  }

  /** @throws Error when the request is refused */
  async start(form?: Parameters): Promise<Codes> {
    const reply = await this.ask(form);
    if (reply.status !== 200) throw new Error(`${reply.status}: ${reply.text}`);
    const codes = reply.json<Codes & Record<string, unknown>>();
    this.world.plant(codes.device_code);
    this.world.plant(codes.user_code);
    this.world.plant(codes.user_code.replace('-', ''));
    return codes;
  }

  async poll({ device_code }: Pick<Codes, 'device_code'>, at: Place = this.world): Promise<Reply> {
    return this.client.token({ grant_type: DEVICE_GRANT, device_code }, at);
  }

  /** Polls after the interval. */
  async pollLater(codes: Pick<Codes, 'device_code'>, at: Place = this.world): Promise<Reply> {
    this.world.clock.advance('5s');
    return this.poll(codes, at);
  }

  /** Opens the page and types the code. */
  async type(userCode: string): Promise<Arrival> {
    const { page } = await this.browser.get(pagePaths.device);
    return this.browser.submit(page!, { user_code: userCode });
  }

  /** As far as the confirmation. */
  async toConfirmation({ user_code: userCode }: Pick<Codes, 'user_code'>, person: TestPerson): Promise<Page> {
    const { page } = await this.client.enter(await this.type(userCode), person);
    if (page?.find('button[name="decision"]') == null)
      throw new Error(`No confirmation but ${page?.status} ${page?.text.slice(0, 200)}`);
    return page;
  }

  async decide(page: Page, decision: 'continue' | 'cancel'): Promise<Page> {
    const { page: next } = await this.browser.submit(page, { decision });
    if (!next) throw new Error('The browser was sent away.');
    return next;
  }

  /** The whole way of the user. */
  async approve(codes: Codes, person: TestPerson): Promise<Page> {
    return this.decide(await this.toConfirmation(codes, person), 'continue');
  }
}

/** What a poll was answered: `ok`, or the error. */
export function outcomeOf(reply: Reply): string {
  return reply.status === 200 ? 'ok' : reply.json<{ error: string }>().error;
}
