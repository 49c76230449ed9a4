import { Injectable } from '@nestjs/common';
import type { Form } from '../../foundation/http/form.js';
import type { Client } from '../../project/client/client.js';
import { ClientService } from '../../project/client/client.service.js';
import type { BrowserSession } from '../../session/browser-session.js';
import type { KnownBrowser } from '../../session/browser-sessions.js';
import { SessionService } from '../../session/session.service.js';
import { type IdTokenHint, IdTokenHints } from '../../token/id-token-hint.js';
import { PageRefusal } from '../authorize/page-refusal.js';

/** A fully checked sign-out request. */
export interface SignOutRequest {
  readonly hint: IdTokenHint | undefined;
  readonly client: Client | undefined;
  /** Registered for the client; with `state` appended. If undefined, our page is shown. */
  readonly returnTo: string | undefined;
}

/** The result of a sign-out request. */
export type SignOutDecision =
  | { readonly kind: 'ask'; readonly people: readonly BrowserSession[] }
  | { readonly kind: 'end'; readonly sessionIds: readonly string[] };

/** OpenID Connect RP-Initiated Logout 1.0. */
@Injectable()
export class EndSessionEndpoint {
  constructor(
    private readonly hints: IdTokenHints,
    private readonly clients: ClientService,
    private readonly sessions: SessionService,
  ) {}

  /**
   * RP-Initiated Logout §2 and §3.
   * @throws PageRefusal for an unverifiable hint, a client that is not active, or an unregistered URI; no session is
   * touched then
   */
  async read(form: Form): Promise<SignOutRequest> {
    if (form.isTooLong || form.problems.size > 0) throw new PageRefusal('invalidRequest', undefined);
    const text = form.find('id_token_hint');
    const hint = text === undefined ? undefined : await this.hints.read(text);
    if (text !== undefined && !hint) throw new PageRefusal('signOutProofRefused', undefined);
    const clientId = form.find('client_id');
    if (hint && clientId !== undefined && clientId !== hint.clientId)
      throw new PageRefusal('signOutOfAnother', clientId);
    const named = hint?.clientId ?? clientId;
    const client = named === undefined ? undefined : await this.clients.findActive(named);
    // The redirect URIs of an unknown client are not known, so nothing in the request can be trusted (INT-028).
    if (named !== undefined && !client) throw new PageRefusal('clientUnknown', named);
    return { hint, client, returnTo: this.checkReturn(form, client) };
  }

  /**
   * `confirmed`: the user has confirmed on our page; `fromOurPage`: the user has followed a link to sign out on one of
   * our pages.
   */
  decide(
    { hint }: SignOutRequest,
    browser: KnownBrowser | undefined,
    proof: { confirmed: boolean; fromOurPage: boolean },
  ): SignOutDecision {
    const people = browser?.sessions ?? [];
    if (proof.confirmed) return { kind: 'end', sessionIds: people.map((session) => session.id) };
    if (hint) {
      const own = people.filter((session) => session.id === hint.sessionId || session.userId === hint.userId);
      if (own.length > 0) return { kind: 'end', sessionIds: own.map((session) => session.id) };
      // No user is signed in here: ends the session that the hint names, in any browser.
      if (people.length === 0) return { kind: 'end', sessionIds: hint.sessionId === undefined ? [] : [hint.sessionId] };
      return { kind: 'ask', people }; // RP-Initiated Logout §2: the hint names another user than the one who is signed in
    }
    // RP-Initiated Logout §2: without a hint the user must be asked, also after a link in an application of the same
    // site or origin, or in an e-mail, which browsers report like a typed address. Our page has already asked.
    if (people.length > 0 && !proof.fromOurPage) return { kind: 'ask', people };
    return { kind: 'end', sessionIds: people.map((session) => session.id) };
  }

  async end(sessionIds: readonly string[]): Promise<void> {
    if (sessionIds.length === 0) return;
    await this.sessions.endNow(sessionIds);
  }

  /**
   * RP-Initiated Logout §3: only to a URI registered for the client. Without a client nothing can be compared, so there
   * is no redirect.
   */
  private checkReturn(form: Form, client: Client | undefined): string | undefined {
    const uri = form.find('post_logout_redirect_uri');
    if (uri === undefined || !client) return undefined;
    if (!client.acceptsPostLogoutRedirectUri(uri)) throw new PageRefusal('signOutReturnRefused', uri);
    const state = form.find('state');
    if (state === undefined) return uri;
    return `${uri}${uri.includes('?') ? '&' : '?'}state=${encodeURIComponent(state)}`;
  }
}
