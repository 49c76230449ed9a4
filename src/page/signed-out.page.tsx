import type { VNode } from 'preact';
import type { InPage } from './part/context.js';
import { EntryLink } from './part/entry-link.js';
import { Heading } from './part/heading.js';
import { Layout } from './part/layout.js';
import type { ReturnAddressLink } from './part/return-link.js';
import { ReturnLink } from './part/return-link.js';

export interface SignedOutProps {
  readonly returnTo?: ReturnAddressLink | undefined;
}

export function SignedOutPage({ context, texts, returnTo }: InPage<SignedOutProps>): VNode {
  const words = texts.signedOut;
  return (
    <Layout context={context} texts={texts} title={words.title}>
      <Heading title={words.title}>{words.what}</Heading>
      {returnTo === undefined && <EntryLink texts={texts} isMain={false} />}
      <ReturnLink to={returnTo} named={words.returnTo} unnamed={words.returnToApplication} />
    </Layout>
  );
}
