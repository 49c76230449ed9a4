import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Request as ExpressRequest, Response as ExpressResponse } from 'express';
import type { ErrorReason } from '../../page/error.page.js';
import type { PageRenderer } from '../../page/page-renderer.js';
import type { PageSettings } from '../../page/page-settings.js';

/** The path of the script that submits a form at once, repeated because edges do not import one another. */
const FORM_POST_SCRIPT = '/oauth/v2/authorize/form-post.js';

/** What a page of Gatehouse says instead of an answer. @public */
export type PageRefusal =
  | 'invalid-request'
  | 'application-unknown'
  | 'return-address-unknown'
  | 'account-unavailable'
  | 'unavailable';

const REASONS: Readonly<Record<PageRefusal, { readonly reason: ErrorReason; readonly status: number }>> = {
  'invalid-request': { reason: 'invalidRequest', status: 400 },
  'application-unknown': { reason: 'clientUnknown', status: 400 },
  'return-address-unknown': { reason: 'redirectUriMismatch', status: 400 },
  'account-unavailable': { reason: 'accountUnavailable', status: 403 },
  unavailable: { reason: 'unavailable', status: 503 },
};

/** Pages in the look of Gatehouse and the language of the reader. Inject it by this class. @public */
export abstract class Pages {
  /** A page that says why the application cannot be answered. @param received the value at fault, as it came */
  abstract refuse(
    request: IncomingMessage,
    response: ServerResponse,
    reason: PageRefusal,
    received?: string,
  ): Promise<void>;

  /**
   * A form that submits itself to another site, or by a button where scripts do not run.
   * @param action an address that was checked
   */
  abstract post(
    request: IncomingMessage,
    response: ServerResponse,
    form: { readonly action: string; readonly fields: Readonly<Record<string, string>> },
  ): Promise<void>;

  /** Sends the browser on; after a form in a way in which it does not repeat the form. */
  abstract redirect(request: IncomingMessage, response: ServerResponse, to: string): void;
}

/** The façade over the product's own pages. */
export class SharedPages extends Pages {
  constructor(
    private readonly renderer: PageRenderer,
    private readonly settings: PageSettings,
  ) {
    super();
  }

  override async refuse(
    request: IncomingMessage,
    response: ServerResponse,
    why: PageRefusal,
    received?: string,
  ): Promise<void> {
    const { reason, status } = REASONS[why];
    const setting = await this.settings.forReader(request as ExpressRequest);
    this.renderer.send(response as ExpressResponse, { page: 'error', reason, received }, { ...setting, status });
  }

  override async post(
    request: IncomingMessage,
    response: ServerResponse,
    { action, fields }: { readonly action: string; readonly fields: Readonly<Record<string, string>> },
  ): Promise<void> {
    const setting = await this.settings.forReader(request as ExpressRequest);
    this.renderer.send(
      response as ExpressResponse,
      { page: 'formPost', action, fields, script: FORM_POST_SCRIPT },
      // Another language would need the answer anew.
      { ...setting, languageSwitch: undefined, formTarget: action, runsScript: true },
    );
  }

  override redirect(request: IncomingMessage, response: ServerResponse, to: string): void {
    // 303 after a POST, so that no browser repeats the form (RFC 9110 §15.4.4).
    response.statusCode = request.method === 'POST' ? 303 : 302;
    response.setHeader('Location', to);
    response.end();
  }
}
