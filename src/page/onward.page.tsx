import type { VNode } from 'preact';
import type { ServicePath } from '../org/instance/paths.js';
import { fill } from './catalogue/catalogue.js';
import { TypedName } from './part/account.js';
import type { InPage } from './part/context.js';
import { Heading } from './part/heading.js';
import { Layout } from './part/layout.js';

export interface OnwardProps {
  /** The name of the provider. */
  readonly provider: string;
  /** The address of the provider. */
  readonly href: string;
  /** The name as it was typed; undefined if none was typed. */
  readonly loginName: string | undefined;
  readonly otherAccountHref: ServicePath;
}

/** The page on the way to a provider. The browser continues by itself; who sees the page can press the button. */
export function OnwardPage({ context, texts, ...props }: InPage<OnwardProps>): VNode {
  const title = fill(texts.provider.continueWith, { provider: props.provider });
  return (
    <Layout context={context} texts={texts} title={title}>
      <Heading title={title} />
      {props.loginName !== undefined && (
        <TypedName
          context={context}
          loginName={props.loginName}
          otherHref={props.otherAccountHref}
          otherText={texts.password.notYou}
        />
      )}
      <a class="button provider" href={props.href} rel="noreferrer">
        {title}
      </a>
    </Layout>
  );
}
