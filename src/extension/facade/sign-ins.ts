import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Request as ExpressRequest, Response as ExpressResponse } from 'express';
import type { IssuerConfig } from '../../foundation/config/config.js';
import { runningExtension } from '../../foundation/log/running-extension.js';
import type { JsonObject } from '../../foundation/outbound/outbound-client.js';
import { clientNotFound } from '../../project/client/client.errors.js';
import type { ClientService } from '../../project/client/client.service.js';
import type { ProtocolAnswers } from '../../session/auth-request/protocol-answers.js';
import type { BrowserCookie } from '../../session/browser-cookie.js';
import type { SessionService } from '../../session/session.service.js';

/** What a protocol asks of a sign-in. @public */
export interface SignInWish {
  /** The name of the part that fills PROTOCOL, and is asked to answer. */
  readonly protocol: string;
  /** An application of the extension: see `ManagedApplications`. */
  readonly applicationId: string;
  /** What the protocol needs to answer; JSON of at most some 30 kB. It travels sealed with the pages. */
  readonly state: JsonObject;
  /** The http or https address to which the answer goes. It must be one that is registered for the application. */
  readonly returnUri: string;
  /** `none`: no page at all. `login`: the user proves anew who they are. `select_account`: chooses an account. */
  readonly prompt?: 'none' | 'login' | 'select_account';
  /** How long ago the user may have signed in. */
  readonly maxAgeSeconds?: number;
  readonly loginHint?: string;
  /** Language tags in the order of preference. */
  readonly uiLocales?: readonly string[];
  /** Whether two factors are required. */
  readonly secondFactor?: boolean;
}

/** Sends browsers through the sign-in of Gatehouse. Inject it by this class. @public */
export abstract class SignIns {
  /** Where Gatehouse can be reached, and what it calls itself: `https://id.example.com`. */
  abstract readonly issuer: string;

  /**
   * Has the user of a browser sign in for an application of the extension, with the policies, pages and extensions that
   * apply to all sign-ins. The part that fills PROTOCOL answers, within this call where no page is needed. Call it in a
   * route of the extension's own, and send nothing besides.
   * @throws DomainError NotFound `client.not_found` if the application is not active, or not one of the extension;
   * InvalidArgument `auth_request.too_long`
   */
  abstract begin(request: IncomingMessage, response: ServerResponse, wish: SignInWish): Promise<void>;

  /** Who is signed in in a browser: the sessions that its cookie opens. */
  abstract sessionsOf(
    request: IncomingMessage,
  ): Promise<ReadonlyArray<{ readonly id: string; readonly userId: string }>>;

  /** Signs users out: ends sessions with their tokens, and tells the applications that are to be told. */
  abstract end(sessionIds: readonly string[]): Promise<void>;
}

/** The façade over the product's own sign-in. */
export class SharedSignIns extends SignIns {
  constructor(
    private readonly config: IssuerConfig,
    private readonly answers: ProtocolAnswers,
    private readonly clients: ClientService,
    private readonly sessions: SessionService,
    private readonly cookie: BrowserCookie,
  ) {
    super();
  }

  override get issuer(): string {
    return this.config.publicUrl;
  }

  override async begin(request: IncomingMessage, response: ServerResponse, wish: SignInWish): Promise<void> {
    const extension = runningExtension();
    if (extension === undefined) throw new Error('SignIns.begin is for routes of an extension.');
    const { prompt, maxAgeSeconds, loginHint, uiLocales = [], secondFactor = false, state } = wish;
    const by = `${extension}/${wish.protocol}`;
    this.answers.checkKnown(by);
    if (!/^https?:$/.test(URL.parse(wish.returnUri)?.protocol ?? ''))
      throw new Error(`returnUri must be an http or https address, and is ${wish.returnUri}.`);
    const client = await this.clients.findActive(wish.applicationId);
    if (client?.kind !== `ext:${extension}`) throw clientNotFound();
    await this.answers.begin(request as ExpressRequest, response as ExpressResponse, client, {
      by,
      state,
      returnUri: wish.returnUri,
      prompts: prompt === undefined ? [] : [prompt],
      maxAgeSeconds,
      loginHint,
      uiLocales,
      secondFactorRequired: secondFactor,
    });
  }

  override async sessionsOf({
    headers,
  }: IncomingMessage): Promise<ReadonlyArray<{ readonly id: string; readonly userId: string }>> {
    const browser = await this.sessions.findBrowser(this.cookie.read(headers.cookie));
    return (browser?.sessions ?? []).map(({ id, userId }) => ({ id, userId }));
  }

  override async end(sessionIds: readonly string[]): Promise<void> {
    await this.sessions.endNow(sessionIds);
  }
}
