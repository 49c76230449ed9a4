import type { CallOptions, Gatehouse } from './call.js';
import { send } from './send.js';
import { tokenOfText } from './token.js';

/** @public */
export interface ConnectOptions extends Omit<CallOptions, 'body'> {
  /** The address of the service, with its path if it has one. */
  readonly url: string | URL;
  /** `URN_WORD` of the service, if it has another one than `service`. */
  readonly urnWord?: string | undefined;
}

/**
 * A connection to a service. Nothing is sent before the first call.
 * @throws TypeError if the address is none, or the token is a text that is none
 * @public
 */
export function connect({ url, urnWord = 'service', ...defaults }: ConnectOptions): Gatehouse {
  const address = addressOf(String(url));
  if (typeof defaults.token === 'string') tokenOfText(defaults.token);
  const orgHeader = `x-${urnWord.toLowerCase()}-orgid`;
  return {
    url: address,
    send(operation, input, options, read) {
      const headers = { ...defaults.headers, ...options.headers };
      return send({ ...defaults, ...definedIn(options), headers, address, orgHeader, operation, input }, read);
    },
  };
}

function addressOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  // Whoever reads the error knows what they gave; it may contain a password.
  if (!url || !/^https?:$/.test(url.protocol) || `${url.search}${url.hash}${url.username}${url.password}` !== '')
    throw new TypeError('The url must be an address such as https://id.example.com, optionally with a path.');
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '');
}

/** A member that is there and undefined would hide that of the connection. */
function definedIn<T extends object>(options: T): Partial<T> {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as Partial<T>;
}
