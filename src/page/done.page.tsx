import type { VNode } from 'preact';
import type { InPage } from './part/context.js';
import { EntryLink } from './part/entry-link.js';
import { Heading } from './part/heading.js';
import { Layout } from './part/layout.js';
import { type OtherWay, OtherWays } from './part/other-ways.js';

export interface DoneProps {
  readonly what:
    | 'setUpDone'
    | 'emailVerified'
    | 'passwordDone'
    | 'passkeyDone'
    | 'deviceDone'
    | 'deviceDenied'
    | 'takenBack';
  /** The other ways that sign the user in. */
  readonly otherWays?: readonly OtherWay[] | undefined;
}

/** The purpose of a code is fulfilled, and no application waits for an answer in this browser. */
export function DonePage({ context, texts, what, otherWays = [] }: InPage<DoneProps>): VNode {
  const words = texts[what];
  return (
    <Layout context={context} texts={texts} title={words.title}>
      <Heading title={words.title}>{words.what}</Heading>
      <EntryLink texts={texts} />
      {otherWays.length > 0 && <OtherWays texts={texts} language={context.language} ways={otherWays} />}
    </Layout>
  );
}
