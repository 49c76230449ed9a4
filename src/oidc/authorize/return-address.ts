import { DomainError } from '../../foundation/error/domain-error.js';
import type { Form } from '../../foundation/http/form.js';
import type { Client } from '../../project/client/client.js';
import { ClientService } from '../../project/client/client.service.js';
import type { ResponseMode } from '../../session/auth-request/auth-request.js';
import { isTooLong } from './check/length.check.js';

declare const checked: unique symbol;

/**
 * A client and one of its registered redirect URIs. Until it exists, an error is a page of ours (RFC 6749 §4.1.2.1,
 * first paragraph); from then on it is a redirect. Only `findReturnAddress` creates it.
 */
export interface ReturnAddress {
  readonly client: Client;
  readonly redirectUri: string;
  readonly [checked]: true;
}

/** Why there is no return address, as on the error page, with the received value. */
export interface NoReturnAddress {
  readonly page: 'clientUnknown' | 'redirectUriMismatch' | 'invalidRequest';
  readonly received: string | undefined;
  /** What the operator needs to compare, for the log. */
  readonly facts?: { readonly clientId: string | undefined; readonly registered?: string };
}

export async function findReturnAddress(form: Form, clients: ClientService): Promise<ReturnAddress | NoReturnAddress> {
  if (form.isTooLong) return { page: 'invalidRequest', received: undefined };
  const clientId = form.find('client_id');
  const client = clientId === undefined ? undefined : await findClient(clientId, clients);
  if (typeof client === 'string') return { page: 'clientUnknown', received: client, facts: { clientId } };
  if (client?.kind !== 'oidc') return { page: 'clientUnknown', received: clientId, facts: { clientId } };
  const redirectUri = form.find('redirect_uri');
  if (redirectUri === undefined)
    return { page: 'invalidRequest', received: 'redirect_uri is missing', facts: { clientId } };
  if (!client.acceptsRedirectUri(redirectUri)) {
    return {
      page: 'redirectUriMismatch',
      received: redirectUri,
      facts: { clientId, registered: client.redirectUris.join(' ') },
    };
  }
  // RFC 6749 §4.1.2.1: an error must return the state unchanged; one that no header can contain cannot be returned.
  if (isTooLong(form, 'state')) return { page: 'invalidRequest', received: undefined };
  return { client, redirectUri } as ReturnAddress;
}

/** A text for the developer if the client's document cannot be used. */
async function findClient(clientId: string, clients: ClientService): Promise<Client | string | undefined> {
  try {
    return await clients.findForAuthorization(clientId);
  } catch (error) {
    if (error instanceof DomainError && error.reason === 'client.document_refused')
      return `${clientId} (${error.message})`;
    throw error;
  }
}

/** The return address of a stored request: its URI may have been removed from the client since. */
export function returnAddressOf(client: Client, redirectUri: string): ReturnAddress | undefined {
  return client.acceptsRedirectUri(redirectUri) ? ({ client, redirectUri } as ReturnAddress) : undefined;
}

/** The client, address and mode of a response. */
export interface Delivery {
  readonly clientId: string;
  readonly redirectUri: string;
  readonly mode: ResponseMode;
  readonly state: string | undefined;
}
