import type { ComponentChildren, VNode } from 'preact';
import type { ServicePath } from '../../org/instance/paths.js';
import type { InPage, PageContext } from './context.js';

/** The field of a form that only asks for a page. */
export const SHOW = 'show';

/** The form of all ways of a page. */
export const WAYS = 'ways';

interface WayProps {
  readonly context: PageContext;
  readonly to: ServicePath;
  readonly class?: string | undefined;
  readonly children: ComponentChildren;
}

/**
 * Leads to another page of ours. Within a sign-in it is a button of the form below, which carries the sealed request:
 * an address could not hold one with a long `state`. It looks like a link.
 */
export function Way({ context, to, children, ...props }: WayProps): VNode {
  if (context.request === undefined) {
    return (
      <a class={props.class} href={to}>
        {children}
      </a>
    );
  }
  return (
    <button type="submit" class={props.class ?? 'link'} form={WAYS} formAction={to} formNoValidate>
      {children}
    </button>
  );
}

/** The form of all ways. Its own action is that of the languages: each way has another one. */
export function WaysForm({ context }: Pick<InPage<object>, 'context'>): VNode | null {
  const { request, languageSwitch } = context;
  if (request === undefined) return null;
  return (
    <form id={WAYS} method="post" action={sharesFormOfWays(context) ? languageSwitch?.action : undefined} hidden>
      <RequestFields request={request} />
    </form>
  );
}

/** Whether the form of the ways has all that a page in another language needs. */
export function sharesFormOfWays({ request, languageSwitch }: PageContext): boolean {
  return request !== undefined && languageSwitch !== undefined && Object.keys(languageSwitch.fields).length === 0;
}

/** The hidden fields by which a form is shown a page of this sign-in. */
export function RequestFields({ request }: { readonly request: NonNullable<PageContext['request']> }): VNode {
  return (
    <>
      <input type="hidden" name="authRequestID" value={request.authRequestId} />
      <input type="hidden" name="csrf" value={request.csrf} />
      <input type="hidden" name={SHOW} value="true" />
    </>
  );
}
