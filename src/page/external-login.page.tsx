import type { VNode } from 'preact';
import type { ServicePath } from '../org/instance/paths.js';
import type { Person } from './part/account.js';
import { Account } from './part/account.js';
import type { InPage } from './part/context.js';
import { Heading } from './part/heading.js';
import { Layout } from './part/layout.js';
import type { ProviderLink } from './part/provider-links.js';
import { ProviderButton } from './part/provider-links.js';
import { Way } from './part/way.js';

export interface ExternalLoginProps {
  readonly person: Person;
  /** The provider; absent if it can no longer be used. */
  readonly provider?: ProviderLink | undefined;
  readonly otherAccountHref: ServicePath;
}

/** A user who came through a provider authenticates again. */
export function ExternalLoginPage({ context, texts, ...props }: InPage<ExternalLoginProps>): VNode {
  const words = texts.externalLogin;
  return (
    <Layout context={context} texts={texts} title={words.title}>
      <Heading title={words.title}>{props.provider ? words.what : words.gone}</Heading>
      <div class="panel">
        <Account person={props.person} />
      </div>
      {props.provider && <ProviderButton context={context} provider={props.provider} texts={texts} isMain />}
      <Way context={context} class="button button-quiet" to={props.otherAccountHref}>
        {texts.account.other}
      </Way>
    </Layout>
  );
}
