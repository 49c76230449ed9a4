import type { VNode } from 'preact';
import type { InPage } from './part/context.js';
import { EntryLink } from './part/entry-link.js';
import { Heading } from './part/heading.js';
import { Layout } from './part/layout.js';
import type { ReturnAddressLink } from './part/return-link.js';
import { ReturnLink } from './part/return-link.js';

export interface ExpiredProps {
  readonly returnTo?: ReturnAddressLink | undefined;
}

/** The pending authorization is over: past its lifetime, or ended in another window. */
export function ExpiredPage({ context, texts, returnTo }: InPage<ExpiredProps>): VNode {
  const words = texts.expired;
  return (
    <Layout context={context} texts={texts} title={words.title}>
      <Heading title={words.title}>{words.what}</Heading>
      <p>{words.todo}</p>
      {returnTo === undefined && <EntryLink texts={texts} />}
      <ReturnLink to={returnTo} named={words.returnTo} unnamed={words.returnToApplication} />
    </Layout>
  );
}
