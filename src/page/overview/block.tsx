import type { ComponentChildren, VNode } from 'preact';
import { fill, type PageTexts } from '../catalogue/catalogue.js';
import type { DocsLink } from './overview-facts.js';

interface BlockProps {
  readonly title: string;
  readonly texts: PageTexts;
  readonly docs?: DocsLink | undefined;
  readonly children: ComponentChildren;
}

/** A part of a page under a heading of its own, with the operation that says the same over the API. */
export function Block({ title, texts, docs, children }: BlockProps): VNode {
  return (
    <section class="block">
      <div class="block-head">
        <h2>{title}</h2>
        {docs !== undefined && <InDocs link={docs} texts={texts} />}
      </div>
      {children}
    </section>
  );
}

/** Leads to an operation in the documentation of the API. It says only its name, so that it does not get in the way. */
export function InDocs({ link, texts }: { readonly link: DocsLink; readonly texts: PageTexts }): VNode {
  return (
    <a class="in-docs" href={link.href} aria-label={fill(texts.overviewPage.inApi, { title: link.operationId })}>
      <code translate={false} dir="ltr">
        {link.operationId}
      </code>
    </a>
  );
}

/** What the administrative API says in English, in whichever language the page is. */
export function English({ children }: { readonly children: string }): VNode {
  return (
    <span lang="en" dir="ltr">
      {children}
    </span>
  );
}

interface ListProps<Line> {
  readonly lines: readonly Line[];
  /** Stands in place of a list without lines. */
  readonly none: string;
  readonly isOrdered?: boolean | undefined;
  readonly children: (line: Line) => ComponentChildren;
}

/** A list of things with what is to be known of each. */
export function List<Line>({ lines, none, isOrdered, children }: ListProps<Line>): VNode {
  if (lines.length === 0) return <p class="hint">{none}</p>;
  const Tag = isOrdered === true ? 'ol' : 'ul';
  return (
    <Tag class="panel account-items">
      {lines.map((line) => (
        <li>{children(line)}</li>
      ))}
    </Tag>
  );
}

/** A word for the state of a thing. */
export function Badge({ isBad, children }: { readonly isBad?: boolean; readonly children: string }): VNode {
  return <span class={isBad === true ? 'badge badge-bad' : 'badge'}>{children}</span>;
}

/** What is known of a thing; facts without a value are left out. */
export function ThingFacts({
  facts,
}: {
  readonly facts: ReadonlyArray<readonly [name: string, value: ComponentChildren]>;
}): VNode | null {
  const known = facts.filter(([, value]) => value !== undefined && value !== '');
  if (known.length === 0) return null;
  return (
    <dl class="account-facts">
      {known.map(([name, value]) => (
        <>
          <dt>{name}</dt>
          <dd>{typeof value === 'string' ? <bdi>{value}</bdi> : value}</dd>
        </>
      ))}
    </dl>
  );
}

/** An id, an address or another value that is read letter by letter. */
export function Literal({ children }: { readonly children: string }): VNode {
  return (
    <bdi class="literal" dir="ltr" translate={false}>
      {children}
    </bdi>
  );
}
