import { unstorableMember } from '../foundation/crypto/json-members.js';
import type { Loan } from '../foundation/extension/loan.js';
import type { OutboundClient } from '../foundation/outbound/outbound-client.js';
import type { IdpHttp, IdpHttpAnswer, IdpHttpRequest } from './idp-kind.js';

/** On whose behalf requests are sent, and for how long. */
export interface ProviderHttpLimits {
  readonly ownerId: string;
  readonly signal: AbortSignal;
  readonly loan: Loan;
}

/** The outbound client in the hands of an extension, for one provider and one call. */
export function providerHttp(outbound: OutboundClient, { ownerId, signal, loan }: ProviderHttpLimits): IdpHttp {
  return Object.freeze({
    send: async ({ url, method, headers = {}, form, body }: IdpHttpRequest): Promise<IdpHttpAnswer> => {
      loan.check();
      signal.throwIfAborted();
      const sent = form === undefined ? body : new URLSearchParams({ ...form }).toString();
      const type = form === undefined ? {} : { 'Content-Type': 'application/x-www-form-urlencoded' };
      const answer = await outbound.send({
        url,
        ownerId,
        method: method ?? (sent === undefined ? 'GET' : 'POST'),
        headers: { ...type, ...headers },
        ...(sent === undefined ? {} : { body: sent }),
        signal,
      });
      const text = answer.body.toString();
      return { status: answer.status, headers: answer.headers, text, json: <T>() => parse<T>(text) };
    },
  });
}

/** Our own message: a parser's quotes its input, which may hold a token. */
function parse<T>(text: string): T {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Error('The answer of the provider is not JSON.');
  }
  if (unstorableMember(text, value) !== undefined)
    throw new Error('The answer of the provider contains NUL or unpaired surrogates.');
  return value as T;
}
