import type { VNode } from 'preact';
import type { InPage } from './context.js';
import { Heading } from './part/heading.js';
import { Layout } from './part/layout.js';

export interface DoneProps {
  readonly what: 'setUpDone' | 'emailVerified' | 'passwordDone';
}

/** What a code was for is done, and no sign-in waits for it. */
export function DonePage({ context, texts, what }: InPage<DoneProps>): VNode {
  const words = texts[what];
  return (
    <Layout context={context} texts={texts} title={words.title}>
      <Heading title={words.title}>{words.what}</Heading>
    </Layout>
  );
}
