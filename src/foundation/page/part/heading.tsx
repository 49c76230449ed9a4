import type { ComponentChildren, VNode } from 'preact';

/** The one h1 of a page, and the sentence below it. */
export function Heading({
  title,
  children,
}: {
  readonly title: ComponentChildren;
  readonly children?: ComponentChildren;
}): VNode {
  return (
    <div class="heading">
      <h1>{typeof title === 'string' ? unbroken(title) : title}</h1>
      {Boolean(children) && <p>{children}</p>}
    </div>
  );
}

/** Keeps words like `e-mail` on one line: none may end with the single letter before the hyphen. */
function unbroken(title: string): ComponentChildren {
  return title
    .split(/(\b\p{L}-\p{L}+)/u)
    .map((part, index) => (index % 2 === 1 ? <span class="whole">{part}</span> : part));
}
