import type { Browser, BrowserContextOptions } from 'playwright-core';
import { MailWorker } from '../../src/mail/mail-worker.js';
import { LabelService } from '../../src/org/policy/label.service.js';
import { PolicyService } from '../../src/org/policy/policy.service.js';
import type { PolicyKind, Settings } from '../../src/org/policy/policy-kind.js';
import {
  EDITOR,
  type PersonInput,
  type TestClient,
  type TestOrg,
  type TestPerson,
  uniqueName,
} from '../support/builders.js';
import { type Parameters, toQuery } from '../support/http.js';
import { MailServer, mailingBy, type TakenMail } from '../support/mail-server.js';
import { linkIn } from '../support/mails.js';
import { paths, RelyingParty } from '../support/relying-party.js';
import { startWorld, type World } from '../support/world.js';
import { type Application, OTHER_SITE, startApplication } from './application.js';
import { closeWindows, openChromium } from './chromium.js';
import { Window } from './window.js';

/** Read from right to left. */
export const NAMES = { firstName: 'ליאור', lastName: 'כהן-אלמוג' };

/** A logo of 96 by 32 pixels, with a transparent ground. */
const LOGO = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAGAAAAAgCAMAAADaHo1mAAAABlBMVEX////ZSA9/hQVdAAAAAnRSTlMA/1uRIrUAAABcSURBVHja5ZYxDgAgCMTo/z/t6CjG1IDeDjUEvIt4Tpi9p+T2CgJcArgEcAmwJLCvRHEXwNkj2gCEHeoDSK7azyMqAih9aP0/O98PfEfzPdlPFX4u8pPdhWyqaAD5lgRkGHJj6wAAAABJRU5ErkJggg==',
  'base64',
);

/** What a journey takes: a browser, the service, a real mail server and an application to come back to. */
export class Stage {
  private constructor(
    readonly browser: Browser,
    readonly server: MailServer,
    readonly world: World,
    readonly application: Application,
    readonly client: TestClient,
    readonly org: TestOrg,
    /** The window of the person whose journey it is. */
    public window: Window,
  ) {}

  static async open(): Promise<Stage> {
    const browser = await openChromium();
    const server = await MailServer.open();
    const world = await startWorld({ realTime: true, env: mailingBy(server) });
    const application = await startApplication((origin) => ({
      authority: world.issuer,
      client_id: 'wiki',
      redirect_uri: `${origin}/`,
    }));
    const client = await world.add.client({
      projectId: await world.cast.projectP,
      name: 'Wiki',
      clientId: 'wiki',
      devMode: true,
      redirectUris: [`${application.at(OTHER_SITE)}/`],
    });
    return new Stage(browser, server, world, application, client, await world.cast.orgA, await Window.again(browser));
  }

  async close(): Promise<void> {
    await closeWindows();
    await this.application.close();
    await this.world.close();
    await this.server.close();
  }

  /** A window of a new visitor. */
  async renew(options: BrowserContextOptions = {}): Promise<void> {
    this.window = await Window.again(this.browser, options);
  }

  async goto(path: string): Promise<void> {
    await this.window.page.goto(`${this.world.issuer}${path}`);
  }

  /** A sign-in for the application. */
  async begin(over: Parameters = {}, client = this.client): Promise<void> {
    await this.goto(`${paths.authorize}?${toQuery(new RelyingParty(this.world, client).parameters(over))}`);
  }

  /** The page that a form or a link leads to is there, by something that it alone has. */
  async shows(selector: string): Promise<void> {
    await this.window.shows(selector);
  }

  /** The form with this field is over. */
  async isPast(field: string): Promise<void> {
    await this.window.isPast(`input[name="${field}"]`);
  }

  /** Another application at the same place, whose users are asked before they continue. */
  async asking(): Promise<TestClient> {
    return this.world.add.client({
      projectId: await this.world.cast.projectP,
      devMode: true,
      consentPage: true,
      redirectUris: [`${this.application.at(OTHER_SITE)}/`],
    });
  }

  async isBack(): Promise<void> {
    await this.window.page.waitForURL(`${this.application.at(OTHER_SITE)}/?*`);
  }

  /** Somebody of organization A with a name that is read from right to left. */
  async person(over: Partial<PersonInput> = {}): Promise<TestPerson> {
    return this.world.add.person({ orgId: this.org.id, profile: NAMES, ...over });
  }

  /** An organization with terms of its own. */
  async orgWith<Kind extends PolicyKind>(kind: Kind, settings: Partial<Settings<Kind>>): Promise<TestOrg> {
    const org = await this.world.add.org();
    await this.world.transaction((tx) => this.world.get(PolicyService).set(tx, kind, org.id, settings, EDITOR));
    return org;
  }

  /** An organization with a logo, and with unreadable colours. */
  async brandedOrg(): Promise<TestOrg> {
    const org = await this.world.add.org(undefined, 'مؤسسة النور');
    const labels = this.world.get(LabelService);
    await labels.add(
      org.id,
      {
        primaryColor: '#ffe066',
        backgroundColor: '#fff4e6',
        fontColor: '#ff922b',
        primaryColorDark: '#3b2f00',
        backgroundColorDark: '#1c1208',
      },
      EDITOR,
    );
    await labels.setImage(org.id, 'logo', LOGO, EDITOR);
    await labels.activate(org.id, EDITOR);
    return org;
  }

  /** Somebody whose organization wants a new password each month. */
  async personWithPasswordOf(days: number): Promise<TestPerson> {
    const { id: orgId } = await this.orgWith('passwordAge', { maxAgeDays: 30, expireWarnDays: 7 });
    const person = await this.person({ orgId });
    await this.world.rows("UPDATE user_account SET password_changed_at = now() - $2 * interval '1 day' WHERE id = $1", [
      person.id,
      days,
    ]);
    return person;
  }

  /** The newest mail to an address, as the mail server took it. @throws Error when there is none */
  async mailTo(address: string): Promise<TakenMail> {
    await this.world.get(MailWorker).run();
    const mail = this.server.taken.findLast(({ envelope }) => envelope.to.includes(address));
    if (!mail) throw new Error(`Nothing was sent to ${address}.`);
    return mail;
  }

  /** Where the button of the newest mail leads, and what can be typed instead. */
  async linkTo(address: string): Promise<{ path: string; code: string }> {
    const { pathname, search, searchParams } = linkIn({ text: (await this.mailTo(address)).text ?? '' });
    const code = searchParams.get('code') ?? '';
    this.world.plant(`code=${code}`);
    return { path: `${pathname}${search}`, code };
  }

  async followLinkTo(address: string): Promise<void> {
    await this.goto((await this.linkTo(address)).path);
  }

  async asksForPassword({ loginName }: Pick<TestPerson, 'loginName'>, over: Parameters = {}): Promise<void> {
    await this.begin(over);
    await this.window.submit({ loginName });
    await this.shows('input[name="password"]');
  }

  async signIn(person: TestPerson, over: Parameters = {}): Promise<void> {
    await this.asksForPassword(person, over);
    await this.window.submit({ password: person.password });
  }

  /** As far as the page that asks for the name, which stands there already. */
  async forgetsPassword(person: TestPerson): Promise<void> {
    await this.asksForPassword(person);
    await this.window.follow('.ways .link, .ways a');
    await this.shows('input[name="loginName"]:not([hidden])');
  }
}

/** A request for people of one organization. */
export function within({ id }: TestOrg): Parameters {
  return { scope: `openid urn:service:iam:org:id:${id}` };
}

export function newAddress(): string {
  return `${uniqueName('new')}@mail.test`;
}
