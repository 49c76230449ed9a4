import type { VNode } from 'preact';
import type { ServicePath } from '../../org/instance/paths.js';
import type { PageContext } from './context.js';
import { Way } from './way.js';

export interface Person {
  readonly displayName: string;
  readonly loginName: string;
}

/** The first letter or digit of a name; a name without any gets the outline of a person. */
function Avatar({ name }: { readonly name: string }): VNode {
  const initial = /[\p{L}\p{N}]/u.exec(name)?.[0].toUpperCase();
  return (
    <span class="avatar" aria-hidden="true">
      {initial ?? (
        <svg viewBox="0 0 24 24">
          <path
            fill="currentColor"
            d="M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zm0 2c-4 0-7.5 2-7.5 4.7V20h15v-1.3C19.5 16 16 14 12 14z"
          />
        </svg>
      )}
    </span>
  );
}

/** A login name whose line breaks behind an @ or a dot rather than within a word, where there is no room. */
function LoginName({ name }: { readonly name: string }): VNode {
  return <bdi dir="ltr">{name.split(/(?<=[@.])/u).map((part, index) => (index === 0 ? part : [<wbr />, part]))}</bdi>;
}

/** An account that this browser knows. */
export function Account({ person, state }: { readonly person: Person; readonly state?: string }): VNode {
  return (
    <span class="account">
      <Avatar name={person.displayName} />
      <span class="account-names">
        <span class="account-name">
          <bdi>{person.displayName}</bdi>
        </span>
        {person.loginName !== person.displayName && (
          <span class="account-login">
            <LoginName name={person.loginName} />
          </span>
        )}
        {state !== undefined && <span class="account-state">{state}</span>}
      </span>
    </span>
  );
}

interface TypedNameProps {
  readonly context: PageContext;
  readonly loginName: string;
  readonly otherHref: ServicePath;
  readonly otherText: string;
}

/** A login name as typed. Nothing reveals whether it exists: no stored name, no other spelling. */
export function TypedName({ context, loginName, otherHref, otherText }: TypedNameProps): VNode {
  return (
    <div class="typed-name">
      <span class="account">
        <Avatar name="" />
        <span class="account-names">
          <LoginName name={loginName} />
        </span>
      </span>
      <Way context={context} to={otherHref}>
        {otherText}
      </Way>
    </div>
  );
}
