import { Injectable } from '@nestjs/common';
import type { Request as ExpressRequest, Response as ExpressResponse } from 'express';
import type { Client } from '../../project/client/client.js';
import type { KnownBrowser } from '../browser-sessions.js';
import type { AuthRequest } from './auth-request.js';

/** A request in the browser that it belongs to. */
export interface OpenedRequest {
  readonly request: AuthRequest;
  readonly browser: KnownBrowser;
}

/** A request and its client as it is now. */
export interface RequestOfClient {
  readonly request: AuthRequest;
  readonly client: Client;
}

/** Shows users what they still have to do. */
export interface SignInPages {
  /** `cookieValue`: what the browser sent, or has just been given. */
  begin(
    http: ExpressRequest,
    response: ExpressResponse,
    opened: OpenedRequest & { readonly cookieValue: string },
  ): Promise<void>;
}

/** Answers applications. */
export interface ApplicationAnswers {
  /** Decides once more whether nothing is missing, and answers with a code, with tokens, or with an error. */
  finish(http: ExpressRequest, response: ExpressResponse, opened: OpenedRequest & RequestOfClient): Promise<void>;
  /**
   * Whether the answer is a code, and nothing but the user's steps has to be checked before it: it can be made in the
   * statement that signs the user in.
   */
  takesCodeAtOnce(request: AuthRequest, client: Client): boolean;
  /** Answers with a code that has been made. */
  sendCode(http: ExpressRequest, response: ExpressResponse, request: AuthRequest, code: string): Promise<void>;
  /** The user has declined. */
  decline(http: ExpressRequest, response: ExpressResponse, refused: RequestOfClient): Promise<void>;
}

/**
 * Where the authorization endpoint, the account pages and the login pages hand a browser over to one another within one
 * HTTP request. They are edges and do not import each other; each registers itself here when it starts.
 */
@Injectable()
export class Handover {
  private pagesInUse: SignInPages | undefined;
  private answersInUse: ApplicationAnswers | undefined;
  private protocolsInUse: ApplicationAnswers | undefined;
  private readonly ownPages = new Map<string, ApplicationAnswers>();

  registerPages(pages: SignInPages): void {
    this.pagesInUse = pages;
  }

  registerAnswers(answers: ApplicationAnswers): void {
    this.answersInUse = answers;
  }

  /** For applications that speak a protocol of an extension. */
  registerProtocols(answers: ApplicationAnswers): void {
    this.protocolsInUse = answers;
  }

  /** Pages of our own, in the place of the application with this client id. */
  registerOwnPages(clientId: string, answers: ApplicationAnswers): void {
    this.ownPages.set(clientId, answers);
  }

  get pages(): SignInPages {
    if (!this.pagesInUse) throw new Error('No module serves the login pages.');
    return this.pagesInUse;
  }

  /** The edge that answers this request. */
  answersTo({ clientId, protocol }: Pick<AuthRequest, 'clientId' | 'protocol'>): ApplicationAnswers {
    const answers = protocol ? this.protocolsInUse : (this.ownPages.get(clientId) ?? this.answersInUse);
    if (!answers) throw new Error('No module answers applications.');
    return answers;
  }
}
