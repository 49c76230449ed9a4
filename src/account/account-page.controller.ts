import { All, Controller, Get, Inject, Post, Req, Res, UseFilters } from '@nestjs/common';
import type { Request as ExpressRequest, Response as ExpressResponse } from 'express';
import { IssuerConfig } from '../foundation/config/config.js';
import { DomainError } from '../foundation/error/domain-error.js';
import { Open } from '../foundation/http/access.js';
import { OPEN_TO_ALL_ORIGINS } from '../foundation/http/cors.js';
import type { Form } from '../foundation/http/form.js';
import { sendJson } from '../foundation/http/json.js';
import { sendJsonPieces } from '../foundation/http/json-pieces.js';
import { readForm, readQuery } from '../foundation/http/request.js';
import { Logger } from '../foundation/log/logger.js';
import { paths, type ServicePath } from '../org/instance/paths.js';
import type { AccountDone, AccountFrame } from '../page/account/account-layout.js';
import { PageRenderer } from '../page/page-renderer.js';
import { tooManyAttempts } from '../page/part/too-many-attempts.js';
import type { LoginPage } from '../page/render.js';
import { PasskeyService } from '../user/factor/passkey.service.js';
import { UserDirectory } from '../user/user-directory.js';
import type { SignedInVisit } from '../visit/signed-in-visit.js';
import { SignedInVisits } from '../visit/signed-in-visits.js';
import { pageNotFound } from '../visit/visit.errors.js';
import { redirect, VisitProof } from '../visit/visit-proof.js';
import { AccountErrorFilter } from './account-error.filter.js';
import { AccountOverview } from './account-overview.js';
import { ACCOUNT_SECTIONS, type AccountSection, type Opened, type SectionOutcome } from './account-section.js';
import { Drafts } from './draft.js';

const AGAIN = 400;
const LIMITED = 429;
const METHOD_NOT_ALLOWED = 405;
const MAX_COUNT = 10_000;
/** Sections that show times, in the zone of their reader. */
const WITH_TIMES: ReadonlySet<AccountSection['name']> = new Set([
  'activity',
  'applications',
  'devices',
  'keys',
  'links',
]);
/** A long limit, for readers as slow as a phone in a train. */
const DOWNLOAD_LIMIT_MS = 600_000;
/** Cached for as long as the other documents at well-known addresses. */
const WELL_KNOWN_CACHE_CONTROL = 'public, max-age=300';

/** The pages on which people manage their own account. They know their user by the session of this browser alone. */
@Open()
@UseFilters(AccountErrorFilter)
@Controller()
export class AccountPageController {
  constructor(
    @Inject(ACCOUNT_SECTIONS) private readonly sections: readonly AccountSection[],
    private readonly visits: SignedInVisits,
    private readonly proof: VisitProof,
    private readonly overview: AccountOverview,
    private readonly drafts: Drafts,
    private readonly directory: UserDirectory,
    private readonly passkeys: PasskeyService,
    private readonly issuer: IssuerConfig,
    private readonly renderer: PageRenderer,
    private readonly log: Logger,
  ) {}

  @Get(paths.account)
  async showOverview(@Req() http: ExpressRequest, @Res() response: ExpressResponse): Promise<void> {
    const visit = await this.visits.open(http, response, withApplication(paths.account, http));
    if (visit) this.send(visit, response, await this.overview.page(visit, await this.frameOf(visit, undefined)));
  }

  /** The address to which password managers lead their users (W3C, A Well-Known URL for Changing Passwords). */
  @Get('/.well-known/change-password')
  changePassword(@Req() http: ExpressRequest, @Res() response: ExpressResponse): void {
    redirect(http, response, paths.accountPassword);
  }

  /**
   * The address that tells password managers where users make and manage passkeys (W3C, A Well-Known URL for Relying
   * Party Passkey Endpoints). Those that run in a browser have an origin of their own.
   */
  @Get('/.well-known/passkey-endpoints')
  passkeyEndpoints(@Res() response: ExpressResponse): void {
    if (!this.passkeys.arePossible) throw pageNotFound();
    const url = `${this.issuer.publicUrl}${paths.accountKeys}`;
    for (const [name, value] of OPEN_TO_ALL_ORIGINS) response.setHeader(name, value);
    response.setHeader('Cache-Control', WELL_KNOWN_CACHE_CONTROL);
    sendJson(response, { enroll: url, manage: url });
  }

  @Get(paths.accountSwitch)
  async switchAccount(@Req() http: ExpressRequest, @Res() response: ExpressResponse): Promise<void> {
    await this.visits.switch(http, response, paths.account);
  }

  @Get('/ui/account/*path')
  async show(@Req() http: ExpressRequest, @Res() response: ExpressResponse): Promise<void> {
    const section = this.find(http);
    const visit = await this.visits.open(http, response, withCode(section.path, http));
    if (!visit) return;
    if (!(await section.isOpen(visit))) {
      if (section.isLedTo) return redirect(http, response, `${paths.account}?closed=${section.name}`);
      throw pageNotFound();
    }
    const { session, browser } = visit;
    if (section.provesFirst && !(await this.isProved(http, section, visit)))
      return this.proof.signIn(http, response, visit, { path: withCode(section.path, http), session }, true);
    const typed = this.drafts.open(section.path, session.userId, readQuery(http).find('draft'));
    const done = typed && (await this.proof.isProved(http, browser, session)) ? { what: 'proved' as const } : undefined;
    const frame = await this.frameOf(visit, section, done);
    this.send(visit, response, await section.page(visit, { frame, typed }));
  }

  @Post('/ui/account/*path')
  async take(@Req() http: ExpressRequest, @Res() response: ExpressResponse): Promise<void> {
    const section = this.find(http);
    const form = await readForm(http);
    const visit = await this.visits.openFor(http, form, section.path);
    if (!(await section.isOpen(visit))) throw pageNotFound();
    const { session } = visit;
    if (!(await this.isProved(http, section, visit))) {
      const draft = this.drafts.seal(section.path, session.userId, form, section.kept);
      return this.proof.signIn(http, response, visit, { path: section.path, draft, session }, true);
    }
    const frame = await this.frameOf(visit, section);
    const outcome = await this.submit(section, visit, form, frame);
    return this.answer(section, visit, response, { frame, form }, outcome);
  }

  @All(['/ui/account', '/ui/account/*path'])
  refuseMethod(@Req() http: ExpressRequest, @Res() response: ExpressResponse): void {
    if (http.path !== paths.account) this.find(http);
    response
      .status(METHOD_NOT_ALLOWED)
      .setHeader('Allow', http.path === paths.account ? 'GET, HEAD' : 'GET, HEAD, POST');
    response.end();
  }

  /** @throws DomainError NotFound `visit.page_not_found` */
  private find(http: ExpressRequest): AccountSection {
    const section = this.sections.find(({ path }) => path === http.path);
    if (!section) throw pageNotFound();
    return section;
  }

  private async isProved(
    http: ExpressRequest,
    section: AccountSection,
    { browser, session }: SignedInVisit,
  ): Promise<boolean> {
    return section.checksPassword
      ? this.proof.isProvedBesidesPassword(http, browser, session)
      : this.proof.isProved(http, browser, session);
  }

  private async submit(
    section: AccountSection,
    visit: SignedInVisit,
    form: Form,
    frame: AccountFrame,
  ): Promise<SectionOutcome & { readonly retryAfterSeconds?: number }> {
    try {
      return await section.submit(visit, form, frame);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      if (error.reason === 'session.overtaken') return { kind: 'again', errors: [{ reason: 'formStale' }] };
      if (error.reason === 'user.rule_refused') return { kind: 'again', errors: [{ reason: 'refusedByRule' }] };
      if (error.reason !== 'attempt.too_many') throw error;
      this.log.warn({ reason: error.reason, section: section.name, address: visit.address }, 'limited');
      const { retryAfterSeconds = 0 } = error;
      return { kind: 'again', errors: [tooManyAttempts(error, visit.setting)], retryAfterSeconds };
    }
  }

  private async answer(
    section: AccountSection,
    visit: SignedInVisit,
    response: ExpressResponse,
    opened: Opened,
    outcome: SectionOutcome & { readonly retryAfterSeconds?: number },
  ): Promise<void> {
    const { http, session } = visit;
    switch (outcome.kind) {
      case 'page':
        return this.send(visit, response, outcome.page);
      case 'again': {
        const { errors, retryAfterSeconds } = outcome;
        if (retryAfterSeconds !== undefined) response.setHeader('Retry-After', String(retryAfterSeconds));
        const page = await section.page(visit, opened, errors);
        return this.send(visit, response, page, retryAfterSeconds === undefined ? AGAIN : LIMITED);
      }
      case 'done': {
        const count = outcome.count === undefined ? '' : `&count=${outcome.count}`;
        return redirect(http, response, `${section.path}?done=${outcome.what}${count}`);
      }
      case 'setting-up': {
        const { factor: factorWanted } = outcome;
        const known = await this.visits.reread(visit);
        return this.proof.signIn(http, response, known, { path: section.path, session, factorWanted }, true);
      }
      case 'adding-key':
        return this.proof.signIn(http, response, visit, { path: section.path, session, keyWanted: outcome.key }, true);
      case 'linking': {
        const { idpId: idpWanted } = outcome;
        return this.proof.signIn(http, response, visit, { path: section.path, session, idpWanted }, true);
      }
      case 'file':
        response.setHeader('Content-Disposition', `attachment; filename="${outcome.name}"`);
        return sendJsonPieces(http, response, outcome.pieces, DOWNLOAD_LIMIT_MS);
      case 'closed':
        return this.send(visit, response, { page: 'accountClosed', dueAt: outcome.dueAt });
      case 'signed-out':
        return redirect(http, response, paths.signedOut);
    }
  }

  private async frameOf(
    visit: SignedInVisit,
    section: AccountSection | undefined,
    done?: AccountFrame['done'],
  ): Promise<AccountFrame> {
    const { displayName, loginName, orgId, userId } = visit.session;
    const zoneinfo = section && WITH_TIMES.has(section.name) ? (await this.directory.get(orgId, userId)).zoneinfo : '';
    const open = await Promise.all(
      this.sections.map(async (section) => ((await section.isOpen(visit)) ? [section] : [])),
    );
    return {
      person: { displayName, loginName },
      sections: open.flat().map((one) => one.name),
      timeZone: zoneinfo === '' ? undefined : zoneinfo,
      done: done ?? this.doneOf(visit),
    };
  }

  /** Reads from the address what a change has done: a word of the catalogue, never a text. */
  private doneOf({ http, setting }: SignedInVisit): AccountFrame['done'] {
    if (http.method !== 'GET') return undefined;
    const query = readQuery(http);
    const word = query.find('done');
    const words = setting.texts.accountPage.done;
    if (word === undefined || !Object.hasOwn(words, word)) return undefined;
    const count = Number(query.find('count') ?? '0');
    return { what: word as AccountDone, count: Number.isInteger(count) && count >= 0 && count < MAX_COUNT ? count : 0 };
  }

  private send({ setting, http }: SignedInVisit, response: ExpressResponse, page: LoginPage, status = 200): void {
    // The answer to a form cannot be requested again: another language begins at the section's own page.
    const languageSwitch = setting.languageSwitch ?? { action: http.path as ServicePath, fields: {} };
    this.renderer.send(response, page, { ...setting, languageSwitch, status });
  }
}

const MAILED_CODE = /^[A-Za-z0-9]{1,20}$/;

/** The code from the link of a mail, which its page fills in, is not lost on the way through the sign-in. */
function withCode(path: ServicePath, http: ExpressRequest): ServicePath {
  const code = readQuery(http).find('code');
  return code !== undefined && MAILED_CODE.test(code) ? `${path}?code=${code}` : path;
}

const MAX_ADDRESS_CHARACTERS = 2_000;

/** The application that led here, which the overview checks, is not lost on the way through the sign-in either. */
function withApplication(path: ServicePath, http: ExpressRequest): ServicePath {
  const query = readQuery(http);
  const [clientId, redirectUri] = [query.find('client_id'), query.find('redirect_uri')];
  if (clientId === undefined || redirectUri === undefined) return path;
  const kept = new URLSearchParams({ client_id: clientId, redirect_uri: redirectUri }).toString();
  return kept.length > MAX_ADDRESS_CHARACTERS ? path : `${path}?${kept}`;
}
