import type { VNode } from 'preact';
import type { PageTexts } from '../catalogue/catalogue.js';
import type { PageContext } from '../context.js';
import type { OwnPath } from '../paths.js';
import { Filled } from './filled.js';
import { Way } from './way.js';

/** The way to an identity provider. */
export interface ProviderLink {
  readonly name: string;
  readonly href: OwnPath;
  /** A button with a mark, as vendors' own are; else a plain one. */
  readonly isVendor: boolean;
}

/** The first letter or digit of its name: pictures of other sites are not fetched (the Content-Security-Policy allows none). */
function Monogram({ name }: { readonly name: string }): VNode {
  return (
    <span class="provider-mark" aria-hidden="true">
      {/[\p{L}\p{N}]/u.exec(name)?.[0].toUpperCase() ?? '•'}
    </span>
  );
}

interface ProviderButtonProps {
  readonly context: PageContext;
  readonly provider: ProviderLink;
  readonly texts: PageTexts;
  /** What most people will want to do on this page. */
  readonly isMain?: boolean;
}

/** One button that leads to a provider; a page of ours continues to its site (`OnwardPage`). */
export function ProviderButton({ context, provider, texts, isMain = false }: ProviderButtonProps): VNode {
  const kinds = [
    'button',
    ...(isMain ? [] : ['button-quiet']),
    'provider',
    ...(provider.isVendor ? ['is-vendor'] : []),
  ];
  return (
    <Way context={context} class={kinds.join(' ')} to={provider.href}>
      {provider.isVendor && <Monogram name={provider.name} />}
      <span>
        <Filled text={texts.provider.continueWith} values={{ provider: provider.name }} />
      </span>
    </Way>
  );
}

export interface ProviderLinksProps {
  readonly context: PageContext;
  readonly providers: readonly ProviderLink[] | undefined;
  readonly texts: PageTexts;
  /** There is no other way. */
  readonly isAlone?: boolean;
}

/** Beside a form of ours: the other ways in. */
export function ProviderLinks({ context, providers = [], texts, isAlone = false }: ProviderLinksProps): VNode | null {
  if (providers.length === 0) return null;
  return (
    <div class="providers">
      {!isAlone && <p class="divider">{texts.provider.or}</p>}
      <ul aria-label={texts.provider.list}>
        {providers.map((provider) => (
          <li>
            <ProviderButton context={context} provider={provider} texts={texts} />
          </li>
        ))}
      </ul>
    </div>
  );
}
