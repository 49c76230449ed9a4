import type { ComponentChildren, VNode } from 'preact';
import type { ServicePath } from '../../org/instance/paths.js';

/** The target of a form, and the proof that it is ours: a post without the token is refused (RFC 6749 §10.12). */
export interface FormTarget {
  readonly action: ServicePath;
  readonly csrf: string;
  /** The pending authorization; absent if there is none, as at sign-out. */
  readonly authRequestId?: string | undefined;
  /** Further fields that the form sends back. */
  readonly fields?: Readonly<Record<string, string>> | undefined;
}

export function Form({
  target,
  children,
}: {
  readonly target: FormTarget;
  readonly children: ComponentChildren;
}): VNode {
  return (
    <form class="form" method="post" action={target.action}>
      <TargetFields target={target} />
      {children}
    </form>
  );
}

/** The hidden fields of a form. */
export function TargetFields({ target }: { readonly target: FormTarget }): VNode {
  return (
    <>
      {target.authRequestId !== undefined && <input type="hidden" name="authRequestID" value={target.authRequestId} />}
      <input type="hidden" name="csrf" value={target.csrf} />
      {Object.entries(target.fields ?? {}).map(([name, value]) => (
        <input type="hidden" name={name} value={value} />
      ))}
    </>
  );
}
