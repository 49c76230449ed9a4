import type { VNode } from 'preact';
import { fill } from './catalogue/catalogue.js';
import type { InPage } from './context.js';
import { TypedName } from './part/account.js';
import { Heading } from './part/heading.js';
import { Layout } from './part/layout.js';
import type { ProviderLink } from './part/provider-links.js';
import { ProviderButton } from './part/provider-links.js';
import type { OwnPath } from './paths.js';

export interface OnwardProps {
  readonly provider: ProviderLink;
  /** As it was typed. */
  readonly loginName: string;
  readonly otherAccountHref: OwnPath;
}

/** On the way to the only provider. The browser continues by itself; anybody who sees the page can press the button. */
export function OnwardPage({ context, texts, ...props }: InPage<OnwardProps>): VNode {
  const title = fill(texts.provider.continueWith, { provider: props.provider.name });
  return (
    <Layout context={context} texts={texts} title={title}>
      <Heading title={title} />
      <TypedName loginName={props.loginName} otherHref={props.otherAccountHref} otherText={texts.password.notYou} />
      <ProviderButton provider={props.provider} texts={texts} isMain />
    </Layout>
  );
}
