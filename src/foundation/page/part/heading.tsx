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

/** A line never ends with the one letter of `e-mail`: words that begin so are kept whole. */
function unbroken(title: string): ComponentChildren {
  return title
    .split(/(\b\p{L}-\p{L}+)/u)
    .map((part, index) => (index % 2 === 1 ? <span class="whole">{part}</span> : part));
}
