import type { VNode } from 'preact';
import { Filled } from './filled.js';

/** Where the person came from. As the address is the application's, it is looked at before it becomes a link. */
export interface ReturnAddressLink {
  readonly href: string;
  readonly clientName?: string | undefined;
}

// The web, or an application's own scheme, which has a dot in it (RFC 8252 §7.1): javascript:, data: and the like have
// none.
const followable = /^(?:https?:\/\/|[a-z][a-z\d+-]*(?:\.[a-z\d+-]+)+:)/iu;

interface ReturnLinkProps {
  readonly to: ReturnAddressLink | undefined;
  /** The text with `{client}`, for applications with a name. */
  readonly named: string;
  readonly unnamed: string;
}

export function ReturnLink({ to, named, unnamed }: ReturnLinkProps): VNode | null {
  if (!to || !followable.test(to.href)) return null;
  return (
    <a class="button" href={to.href}>
      <span>{to.clientName === undefined ? unnamed : <Filled text={named} values={{ client: to.clientName }} />}</span>
    </a>
  );
}
