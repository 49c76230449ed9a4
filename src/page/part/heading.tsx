import type { ComponentChildren, VNode } from 'preact';

/** The one h1 of a page, and the sentence below it. */
export function Heading({ title, children }: { readonly title: ComponentChildren; readonly children?: ComponentChildren }): VNode {
  return (
    <div class="heading">
      <h1>{title}</h1>
      {Boolean(children) && <p>{children}</p>}
    </div>
  );
}
