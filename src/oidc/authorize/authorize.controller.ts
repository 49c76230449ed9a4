import { Controller, Get, type OnModuleInit, Post, Req, Res, UseFilters } from '@nestjs/common';
import type { Request as ExpressRequest, Response as ExpressResponse } from 'express';
import { randomToken } from '../../foundation/crypto/random.js';
import { DomainError } from '../../foundation/error/domain-error.js';
import { Open } from '../../foundation/http/access.js';
import type { Form } from '../../foundation/http/form.js';
import { addressOf, readForm, readQuery } from '../../foundation/http/request.js';
import { Logger } from '../../foundation/log/logger.js';
import { assets } from '../../page/page-renderer.js';
import type { Client } from '../../project/client/client.js';
import { ClientService } from '../../project/client/client.service.js';
import { redirectUriGone, requestNotFound } from '../../session/auth-request/auth-request.errors.js';
import { type AuthRequest, isCodeFlow } from '../../session/auth-request/auth-request.js';
import { AuthRequestService } from '../../session/auth-request/auth-request.service.js';
import {
  type ApplicationAnswers,
  Handover,
  type OpenedRequest,
  type RequestOfClient,
} from '../../session/auth-request/handover.js';
import { RequestDemands } from '../../session/auth-request/request-demands.js';
import { BrowserCookie } from '../../session/browser-cookie.js';
import { SessionService } from '../../session/session.service.js';
import { IdTokenHints } from '../../token/id-token-hint.js';
import { OAuthError, refusal } from '../oidc.errors.js';
import { endpoints } from '../oidc.paths.js';
import { RESOURCE } from '../requested-resources.js';
import { AskedRequests } from './asked-request.js';
import { AuthorizeEndpoint, deliveryOf } from './authorize.endpoint.js';
import { AuthorizeErrorFilter } from './authorize-error.filter.js';
import { AuthorizeResponse, redirect } from './authorize-response.js';
import { isTooLongValue } from './check/length.check.js';
import { wishesInObject } from './check/request-object.check.js';
import { defaultResponseMode, takesForms } from './check/response-mode.check.js';
import { PageRefusal } from './page-refusal.js';
import { RequestReader } from './request-reader.js';
import { type Delivery, findReturnAddress, type ReturnAddress, returnAddressOf } from './return-address.js';
import { withShortHint } from './short-hint.js';

/** The longest address: many proxies accept no more than 8 kB. */
const MAX_ADDRESS_LENGTH = 8_000;

@Controller()
@Open()
@UseFilters(AuthorizeErrorFilter)
export class AuthorizeController implements ApplicationAnswers, OnModuleInit {
  constructor(
    private readonly clients: ClientService,
    private readonly asked: AskedRequests,
    private readonly reader: RequestReader,
    private readonly demands: RequestDemands,
    private readonly endpoint: AuthorizeEndpoint,
    private readonly answer: AuthorizeResponse,
    private readonly requests: AuthRequestService,
    private readonly cookie: BrowserCookie,
    private readonly sessions: SessionService,
    private readonly handover: Handover,
    private readonly hints: IdTokenHints,
    private readonly log: Logger,
  ) {}

  onModuleInit(): void {
    this.handover.registerAnswers(this);
  }

  @Get('oauth/v2/authorize')
  async get(@Req() request: ExpressRequest, @Res() response: ExpressResponse): Promise<void> {
    await this.authorize(readQuery(request), request, response);
  }

  /** OIDC Core §3.1.2.1: POST is served like GET; query and body are never mixed. */
  @Post('oauth/v2/authorize')
  async post(@Req() request: ExpressRequest, @Res() response: ExpressResponse): Promise<void> {
    if (request.url.includes('?')) throw new PageRefusal('invalidRequest', undefined);
    const form = await readForm(request);
    if (this.comesWithoutCookies(request)) repeatByGet(await withShortHint(form, this.hints), request, response);
    else await this.authorize(form, request, response);
  }

  /**
   * A form of another site: browsers send no cookie of ours with it (SameSite), and a new one would replace the
   * session's.
   */
  private comesWithoutCookies({ headers }: ExpressRequest): boolean {
    return headers['sec-fetch-site'] === 'cross-site' && this.cookie.read(headers.cookie) === undefined;
  }

  /**
   * The way back from a page that opens a native application. The id alone opens nothing: the request must be this
   * browser's (AUT-057).
   */
  @Get('oauth/v2/authorize/callback')
  async callback(@Req() request: ExpressRequest, @Res() response: ExpressResponse): Promise<void> {
    const cookieValue = this.cookie.read(request.headers.cookie);
    if (cookieValue === undefined) throw new PageRefusal('cookies', undefined);
    const found = await this.requests.find(readQuery(request).find('id') ?? '');
    const browser = await this.sessions.findBrowser(cookieValue);
    // Checked before the expiry: a request of another browser counts as unknown.
    if (!browser || browser.id !== found?.browserId) throw requestNotFound();
    const pending = this.requests.checkPending(found);
    const client = await this.clients.findActive(pending.clientId);
    if (!client) throw new PageRefusal('clientUnknown', pending.clientId);
    await this.finish(request, response, { request: pending, client, browser });
  }

  async finish(
    http: ExpressRequest,
    response: ExpressResponse,
    opened: OpenedRequest & RequestOfClient,
  ): Promise<void> {
    await this.orFail(http, response, returnOf(opened), () => this.endpoint.finish(http, response, opened));
  }

  takesCodeAtOnce(request: AuthRequest, client: Client): boolean {
    const isReturnAddress = returnAddressOf(client, request.redirectUri) !== undefined;
    const isAllowed = isReturnAddress && this.demands.lacking(client, request) === undefined;
    return isCodeFlow(request) && isAllowed && !client.project.projectRoleCheck;
  }

  async sendCode(http: ExpressRequest, response: ExpressResponse, request: AuthRequest, code: string): Promise<void> {
    await this.answer.succeed(http, response, deliveryOf(request), { code });
  }

  async decline(http: ExpressRequest, response: ExpressResponse, refused: RequestOfClient): Promise<void> {
    await this.orFail(http, response, returnOf(refused), async () => {
      throw refusal.userDeclined();
    });
  }

  @Get('oauth/v2/authorize/form-post.js')
  formPostScript(@Res() response: ExpressResponse): void {
    response.setHeader('Content-Type', 'text/javascript; charset=utf-8');
    response.setHeader('Cache-Control', 'public, max-age=86400');
    response.end(assets.formPostScript);
  }

  private async authorize(sent: Form, request: ExpressRequest, response: ExpressResponse): Promise<void> {
    const asked = await this.asked.read(sent);
    const { form, pushedId, refused } = asked;
    const address = await findReturnAddress(form, this.clients);
    // No address of an object that cannot be used is believed (RFC 9101 §10.4).
    if ('page' in address && refused)
      throw new PageRefusal('invalidRequest', refused.error, false, { because: refused.reason });
    if ('page' in address) throw new PageRefusal(address.page, address.received, false, address.facts);
    const fallback = (error: OAuthError): Delivery => fallbackDelivery(form, address, error);
    await this.orFail(request, response, fallback, async () => {
      const read = await this.reader.read({ ...asked, isPushed: pushedId !== undefined }, address);
      const wanted = pushedId === undefined ? read : { ...read, pushedId };
      await this.orFail(request, response, deliveryOf(wanted), () =>
        this.endpoint.authorize(request, response, wanted, address),
      );
    });
  }

  /**
   * From here on there is a return address, so refusals are sent to the client (RFC 6749 §4.1.2.1, second paragraph).
   */
  private async orFail(
    request: ExpressRequest,
    response: ExpressResponse,
    deliveryFor: Delivery | ((error: OAuthError) => Delivery),
    work: () => Promise<void>,
  ): Promise<void> {
    try {
      await work();
    } catch (thrown) {
      const error = this.toRefusal(thrown, request);
      if (!error) throw thrown;
      const delivery = typeof deliveryFor === 'function' ? deliveryFor(error) : deliveryFor;
      this.log.info(
        {
          reason: error.reason,
          error: error.error,
          address: addressOf(request),
          clientId: delivery.clientId,
          ...error.actors,
        },
        'authorization refused',
      );
      await this.answer.fail(request, response, delivery, error);
    }
  }

  /** RFC 6749 §4.1.2.1: a server error is sent to the client too; problems of the sign-in itself stay on our page. */
  private toRefusal(thrown: unknown, request: ExpressRequest): OAuthError | undefined {
    if (thrown instanceof OAuthError) return thrown;
    if (!(thrown instanceof DomainError) || thrown.kind === 'Internal') {
      const reference = randomToken(6);
      this.log.error({ err: thrown, path: request.path, reference }, 'defect');
      return refusal.failed(reference, thrown);
    }
    if (thrown.kind !== 'Unavailable' && thrown.kind !== 'ResourceExhausted') return undefined;
    this.log.warn({ reason: thrown.reason, path: request.path, address: addressOf(request) }, 'unavailable');
    return refusal.unavailable(thrown);
  }
}

/**
 * Browsers send the cookie with the GET that follows.
 * @throws PageRefusal for parameters that are repeated or malformed, or too long for an address
 */
function repeatByGet(form: Form, request: ExpressRequest, response: ExpressResponse): void {
  const query = new URLSearchParams(
    form.names.flatMap((name) => {
      const values = name === RESOURCE ? form.all(name) : [form.find(name) ?? ''];
      return (values ?? []).map((value) => [name, value]);
    }),
  );
  const address = `${endpoints.authorization}?${query.toString()}`;
  const hasProblem = form.names.some((name) => (name === RESOURCE ? !form.all(name) : form.problemOf(name)));
  if (form.isTooLong || hasProblem || address.length > MAX_ADDRESS_LENGTH)
    throw new PageRefusal('invalidRequest', undefined);
  redirect(request, response, address);
}

/**
 * How a request that the pages have carried is answered, also with an error: its redirect URI may have been removed
 * since.
 * @throws DomainError FailedPrecondition `auth_request.redirect_uri_gone`
 */
function returnOf({ request, client }: RequestOfClient): Delivery {
  if (!returnAddressOf(client, request.redirectUri)) throw redirectUriGone();
  return deliveryOf(request);
}

/** Where errors go before the request is understood: what is known of the response type decides. */
function fallbackDelivery(form: Form, { client, redirectUri }: ReturnAddress, { error }: OAuthError): Delivery {
  const words = form.words('response_type');
  const isImplicit = words.length > 0 && words.every((word) => word === 'id_token' || word === 'token');
  // Only for the refusal of the object itself; for other errors the query counts.
  const inObject = error === 'request_not_supported' ? wishesInObject(form) : undefined;
  const asked = form.find('response_mode') ?? inObject?.responseMode;
  const isPossible = asked === 'fragment' || (asked === 'form_post' && takesForms(redirectUri));
  const mode = isPossible ? asked : defaultResponseMode(isImplicit ? 'id_token' : 'code');
  const hiddenState = isTooLongValue(inObject?.state) ? undefined : inObject?.state;
  return { clientId: client.id, redirectUri, mode, state: form.find('state') ?? hiddenState };
}
