import type { VNode } from 'preact';
import { paths } from '../org/instance/paths.js';
import type { InPage } from './part/context.js';
import { Heading } from './part/heading.js';
import { Layout } from './part/layout.js';

export type NotSignedInProps = object;

/**
 * The entry, for a user who comes without an application and is not signed in. Which application that user wants is not
 * known here, but the account page is for everybody, and signs them in.
 */
export function NotSignedInPage({ context, texts }: InPage<NotSignedInProps>): VNode {
  const words = texts.notSignedIn;
  return (
    <Layout context={context} texts={texts} title={words.title}>
      <Heading title={words.title}>{words.what}</Heading>
      <a class="button" href={paths.account}>
        {texts.password.submit}
      </a>
    </Layout>
  );
}
