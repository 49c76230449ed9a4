import type { VNode } from 'preact';
import type { ServicePath } from '../org/instance/paths.js';
import type { InPage } from './part/context.js';
import { EntryLink } from './part/entry-link.js';
import { Heading } from './part/heading.js';
import { Layout } from './part/layout.js';
import { Way } from './part/way.js';

export interface CookiesProps {
  readonly retryHref?: ServicePath | undefined;
}

/** The browser keeps no cookies. There is no alternative: an id in the address could be passed on to another person. */
export function CookiesPage({ context, texts, retryHref }: InPage<CookiesProps>): VNode {
  const words = texts.cookies;
  return (
    <Layout context={context} texts={texts} title={words.title}>
      <Heading title={words.title}>{words.what}</Heading>
      <p>{words.todo}</p>
      {retryHref === undefined ? (
        <EntryLink texts={texts} />
      ) : (
        <Way context={context} class="button" to={retryHref}>
          {words.retry}
        </Way>
      )}
    </Layout>
  );
}
