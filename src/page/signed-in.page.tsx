import type { VNode } from 'preact';
import { paths, type ServicePath } from '../org/instance/paths.js';
import type { Person } from './part/account.js';
import { Account } from './part/account.js';
import type { InPage } from './part/context.js';
import { Heading } from './part/heading.js';
import { Layout } from './part/layout.js';

export interface SignedInProps {
  /** All accounts that are signed in in this browser. */
  readonly people: readonly Person[];
  readonly signOutHref: ServicePath;
}

/** The page of users who come without an application: who they are here, and how to sign out. */
export function SignedInPage({ context, texts, ...props }: InPage<SignedInProps>): VNode {
  const words = texts.signedIn;
  return (
    <Layout context={context} texts={texts} title={words.title}>
      <Heading title={words.title}>{words.what}</Heading>
      <ul class="panel">
        {props.people.map((person) => (
          <li>
            <Account person={person} />
          </li>
        ))}
      </ul>
      <a class="button" href={paths.account}>
        {texts.accountPage.title}
      </a>
      <a class="button button-quiet" href={props.signOutHref}>
        {words.signOut}
      </a>
    </Layout>
  );
}
