import type { VNode } from 'preact';
import type { ServicePath } from '../org/instance/paths.js';
import type { InPage } from './part/context.js';
import { Filled } from './part/filled.js';
import { Heading } from './part/heading.js';
import { Layout } from './part/layout.js';

export interface SuccessProps {
  readonly clientName: string;
  /** The application's address; the browser goes there by itself, and stays here where that opens another program. */
  readonly continueHref: ServicePath;
}

/** The page for applications of this device: they take the answer, and the browser would show nothing. */
export function SuccessPage({ context, texts, ...props }: InPage<SuccessProps>): VNode {
  const words = texts.success;
  return (
    <Layout context={context} texts={texts} title={words.title}>
      <Heading title={words.title}>{words.what}</Heading>
      <a class="button" id="submit" href={props.continueHref}>
        <span>
          <Filled text={words.submit} values={{ client: props.clientName }} />
        </span>
      </a>
    </Layout>
  );
}
