import type { VNode } from 'preact';
import { fill } from '../catalogue/catalogue.js';
import type { InPage } from '../part/context.js';
import { EntryLink } from '../part/entry-link.js';
import { Heading } from '../part/heading.js';
import { Layout } from '../part/layout.js';

export interface AccountClosedProps {
  /** When the account is removed; undefined if it is already. */
  readonly dueAt?: Date | undefined;
}

/** The account is closed: nobody is signed in any more. */
export function AccountClosedPage({ context, texts, dueAt }: InPage<AccountClosedProps>): VNode {
  const words = texts.accountClosed;
  const title = dueAt === undefined ? words.deleted : words.title;
  const date = new Intl.DateTimeFormat(context.language, { dateStyle: 'long', timeZone: 'UTC' });
  return (
    <Layout context={context} texts={texts} title={title}>
      <Heading title={title}>{dueAt !== undefined && fill(words.what, { date: date.format(dueAt) })}</Heading>
      <EntryLink texts={texts} />
    </Layout>
  );
}
