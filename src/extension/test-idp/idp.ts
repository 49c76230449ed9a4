import { Agent, request as httpRequest, type IncomingMessage } from 'node:http';
import type { IdpApplication, IdpServiceUser, IdpUser } from './cast.js';
import type { ArmedFault, FaultKind, FaultOptions } from './fault.js';
import type { Fixture } from './fixture.js';
import type { IdpMail } from './mails.js';
import {
  CONTROL,
  type IdpLanding,
  type IdpState,
  type IdpTime,
  type IdpTokens,
  type Operations,
  ROUTES,
} from './protocol.js';

/** Taken before a test replaces it: what a test does to requests concerns its application. */
const send = httpRequest;

/** A user of the fixture: itself, or its name there. @public */
export type WhichUser = string | Pick<IdpUser, 'name'>;

/** @public */
export interface SignInOptions {
  /** By its name in the fixture; by default the first one. */
  readonly application?: string | Pick<IdpApplication, 'name'>;
  /** By default `openid profile email offline_access`. */
  readonly scopes?: readonly string[];
  readonly redirectUri?: string;
  /** Further parameters of the authorization request. */
  readonly parameters?: Readonly<Record<string, string>>;
  /** In which browser, by any name; each user has one by default, which stays signed in until the next reset. */
  readonly browser?: string;
}

/** @public */
export interface BrowseOptions {
  /** In which browser, by any name; by default the one of the user. */
  readonly browser?: string;
  /** Whether the user lets the application have what it asks for, if a page asks; by default yes. */
  readonly consent?: boolean;
}

/** The clock of the service, which goes on from where it is set. @public */
export interface IdpClock {
  /** `90s`, `15m`, `2h`, `31d`. */
  jump(span: string): Promise<IdpTime>;
  set(moment: Date): Promise<IdpTime>;
  /** Back to the time of the machine. */
  reset(): Promise<IdpTime>;
  now(): Promise<Date>;
}

/** What goes wrong when it is asked for. @public */
export interface IdpFaults {
  /** From now on it happens: once, unless `times` says otherwise. */
  arm(kind: FaultKind, options?: FaultOptions): Promise<ArmedFault>;
  /** What was asked for since the last reset, and how often it has happened. */
  list(): Promise<readonly ArmedFault[]>;
  /** From now on nothing goes wrong. */
  clear(): Promise<void>;
}

/** The mails that the service has sent. @public */
export interface IdpMails {
  /** Newest first, with those on their way. */
  list(to?: string): Promise<readonly IdpMail[]>;
  /** The newest one to an address, once there is one. @throws Error if none comes in time, by default five seconds */
  newest(to: string, waitMs?: number): Promise<IdpMail>;
}

/** An identity provider for tests: Gatehouse, as it ships. @public */
export class Idp implements AsyncDisposable {
  readonly clock: IdpClock;
  readonly faults: IdpFaults;
  readonly mails: IdpMails;
  private state: IdpState;
  private readonly agent: Agent;
  private readonly control: URL;
  private readonly end: () => Promise<void>;

  private constructor(control: URL, agent: Agent, state: IdpState, end: () => Promise<void>) {
    this.control = control;
    this.agent = agent;
    this.state = state;
    this.end = end;
    this.clock = {
      jump: async (span) => this.ask('setClock', { jump: span }),
      set: async (moment) => this.ask('setClock', { set: moment.toISOString() }),
      reset: async () => this.ask('setClock', { reset: true }),
      now: async () => new Date((await this.ask('clock', undefined)).now),
    };
    this.faults = {
      arm: async (kind, options = {}) => this.ask('arm', { ...options, kind }),
      list: async () => (await this.ask('faults', undefined)).faults,
      clear: async () => void (await this.ask('disarm', undefined)),
    };
    this.mails = {
      list: async (to) => (await this.ask('mails', to === undefined ? {} : { to })).mails,
      newest: async (to, waitMs = 5_000) => {
        const [newest] = (await this.ask('mails', { to, waitMs })).mails;
        if (!newest) throw new Error(`No mail to ${to} was sent within ${waitMs} ms.`);
        return newest;
      },
    };
  }

  /** @internal Use `startIdp` or `connectIdp`. */
  static async at(controlUrl: string, end: () => Promise<void>): Promise<Idp> {
    const control = new URL(controlUrl);
    const agent = new Agent({ keepAlive: true });
    try {
      return new Idp(control, agent, await ask(control, agent, 'state', undefined), end);
    } catch (error) {
      agent.destroy();
      throw error;
    }
  }

  get issuer(): string {
    return this.state.issuer;
  }

  get discoveryUrl(): string {
    return this.state.discoveryUrl;
  }

  /** For `connectIdp`, in another process. */
  get controlUrl(): string {
    return this.control.href;
  }

  /** Those of the fixture, by their names there. */
  get users(): Readonly<Record<string, IdpUser>> {
    return this.state.users;
  }

  /** Those of the fixture, by their names there, with client id and secret. */
  get applications(): Readonly<Record<string, IdpApplication>> {
    return this.state.applications;
  }

  /** Those of the fixture, by their names there, with client id and secret. */
  get serviceUsers(): Readonly<Record<string, IdpServiceUser>> {
    return this.state.serviceUsers;
  }

  /** The administrative API, with the token of an owner of the instance. */
  get admin(): IdpState['admin'] {
    return this.state.admin;
  }

  /** Back to the fixture: sessions, tokens, changes, faults and the time are gone. Keys may stay. */
  async reset(): Promise<void> {
    this.state = await this.ask('reset', undefined);
  }

  /** Adds users, applications and what else a fixture has, until the next reset. */
  async add(fixture: Fixture): Promise<void> {
    this.state = await this.ask('add', fixture);
  }

  /**
   * Signs a user in to an application, which redeems the code: authorization code with PKCE, through all pages.
   * @throws Error when it ends without tokens, with what the page says
   */
  async signIn(user: WhichUser, options: SignInOptions = {}): Promise<IdpTokens> {
    const { application, ...others } = options;
    return this.ask('signIn', {
      ...others,
      user: nameOf(user),
      ...(application === undefined ? {} : { application: nameOf(application) }),
    });
  }

  /** The tokens of a service user, by `client_credentials`. */
  async clientCredentials(user: string | Pick<IdpServiceUser, 'name'>, scopes?: readonly string[]): Promise<IdpTokens> {
    return this.ask('clientCredentials', { user: nameOf(user), ...(scopes && { scopes }) });
  }

  /**
   * Opens an address that the application under test has made, as the browser of a user: to sign in, or to sign out.
   * Returns where the browser is sent in the end, which is for the application.
   * @throws Error when it ends elsewhere: the page says why; or when a form is sent there, for which there is `browse`
   */
  async authorize(url: string | URL, user: WhichUser, options: BrowseOptions = {}): Promise<string> {
    const landing = await this.browse(url, user, options);
    if (landing.method === 'POST')
      throw new Error(`The answer is a form that is sent to ${landing.url}: use browse(), which returns its fields.`);
    return landing.url;
  }

  /** Like `authorize`, with the fields of a form (`response_mode=form_post`), and the text of a page of the service. */
  async browse(url: string | URL, user: WhichUser, options: BrowseOptions = {}): Promise<IdpLanding> {
    return this.ask('browse', { ...options, url: String(url), user: nameOf(user) });
  }

  /** A new key signs from now on; those before it stay published. Returns its id. */
  async rotateKey(): Promise<string> {
    return (await this.ask('rotateKey', undefined)).keyId;
  }

  /** Locks a user as an administrator does. */
  async lock(user: WhichUser): Promise<void> {
    await this.ask('lock', { user: nameOf(user) });
  }

  async unlock(user: WhichUser): Promise<void> {
    await this.ask('unlock', { user: nameOf(user) });
  }

  /** Ends the sessions of a user as an administrator does; applications with a back-channel logout URI were called. */
  async endSessions(user: WhichUser): Promise<void> {
    await this.ask('endSessions', { user: nameOf(user) });
  }

  /** Ends the service if `startIdp` has started it, and the connections to it. */
  async stop(): Promise<void> {
    this.agent.destroy();
    await this.end();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }

  private async ask<Name extends keyof Operations>(
    name: Name,
    given: Operations[Name][0],
  ): Promise<Operations[Name][1]> {
    return ask(this.control, this.agent, name, given);
  }
}

function nameOf(which: string | { readonly name: string }): string {
  return typeof which === 'string' ? which : which.name;
}

async function ask<Name extends keyof Operations>(
  control: URL,
  agent: Agent,
  name: Name,
  given: Operations[Name][0],
): Promise<Operations[Name][1]> {
  const [method, path] = ROUTES[name];
  const query =
    method === 'GET' && given
      ? `?${new URLSearchParams(Object.entries(given).map(([key, value]) => [key, String(value)]))}`
      : '';
  const body = method === 'POST' ? JSON.stringify(given ?? {}) : '';
  const { status, text } = await new Promise<{ status: number; text: string }>((resolve, reject) => {
    const asked = send(
      {
        agent,
        host: '127.0.0.1',
        port: control.port,
        method,
        path: `${CONTROL}${path}${query}`,
        headers: {
          Host: control.host,
          ...(body === '' ? {} : { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) }),
        },
      },
      (answer: IncomingMessage) => {
        let text = '';
        answer.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
        answer.on('error', reject).on('end', () => resolve({ status: answer.statusCode ?? 0, text }));
      },
    );
    asked.on('error', (error) =>
      reject(
        new Error(`The identity provider for tests at ${control.host} does not answer: ${error.message}`, {
          cause: error,
        }),
      ),
    );
    asked.end(body);
  });
  const answer = JSON.parse(text) as Operations[Name][1] & { readonly error?: string };
  if (status !== 200) throw new Error(answer.error ?? `The identity provider for tests answered ${status}.`);
  return answer;
}
