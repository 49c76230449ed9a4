import type { VNode } from 'preact';
import type { InPage } from './context.js';
import { Heading } from './part/heading.js';
import { Layout } from './part/layout.js';

export type NotSignedInProps = object;

/** The entry, for a user who comes without an application and is not signed in. */
export function NotSignedInPage({ context, texts }: InPage<NotSignedInProps>): VNode {
  const words = texts.notSignedIn;
  return (
    <Layout context={context} texts={texts} title={words.title}>
      <Heading title={words.title}>{words.what}</Heading>
    </Layout>
  );
}
