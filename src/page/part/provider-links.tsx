import type { VNode } from 'preact';
import type { Drawing } from '../../foundation/drawing/drawing.js';
import type { ServicePath } from '../../org/instance/paths.js';
import type { PageTexts } from '../catalogue/catalogue.js';
import type { PageContext } from './context.js';
import { Drawn } from './drawing.js';
import { Filled } from './filled.js';
import { type ProviderSearch, ProviderSearchForm } from './provider-search.js';
import { Way } from './way.js';

/** The way to an identity provider. */
export interface ProviderLink {
  readonly name: string;
  readonly href: ServicePath;
  /** The first letter of its name is its mark; otherwise a drawing that fits any provider. */
  readonly isVendor: boolean;
  /** The mark that its kind brings, which is shown instead. */
  readonly mark?: Drawing | undefined;
}

/**
 * The mark that the kind of the provider brings; otherwise the first letter or digit of its name, or a badge of our own
 * drawing. Pictures of other sites are not fetched (the Content-Security-Policy allows none).
 */
export function ProviderMark({ name, isVendor, mark }: Omit<ProviderLink, 'href'>): VNode {
  if (mark !== undefined) return <OwnMark mark={mark} />;
  const letter = isVendor ? /[\p{L}\p{N}]/u.exec(name)?.[0].toUpperCase() : undefined;
  return (
    <span class="provider-mark" aria-hidden="true">
      {letter ?? (
        <svg viewBox="0 0 24 24" focusable="false">
          <path d="M5 6.5h14v13H5zM9.5 6.5v-2h5v2M9 16.5c0-1.6 1.3-2.5 3-2.500s3 .9 3 2.5" />
          <circle cx="12" cy="11" r="1.7" />
        </svg>
      )}
    </span>
  );
}

/** On the ground of a page, whatever the colour of the button: its colours are made for that. */
export function OwnMark({ mark }: { readonly mark: Drawing }): VNode {
  return (
    <span class="provider-mark provider-mark-own" aria-hidden="true">
      <Drawn drawing={mark} />
    </span>
  );
}

interface ProviderButtonProps {
  readonly context: PageContext;
  readonly provider: ProviderLink;
  readonly texts: PageTexts;
  /** Whether this is what most people will want to do on this page. */
  readonly isMain?: boolean;
}

/** One button that leads to a provider; a page of ours continues to its site (`OnwardPage`). */
export function ProviderButton({ context, provider, texts, isMain = false }: ProviderButtonProps): VNode {
  const kinds = ['button', ...(isMain ? [] : ['button-quiet']), 'provider'];
  return (
    <Way context={context} class={kinds.join(' ')} to={provider.href}>
      <ProviderMark {...provider} />
      <span>
        <Filled text={texts.provider.continueWith} values={{ provider: provider.name }} />
      </span>
    </Way>
  );
}

export interface ProviderLinksProps {
  readonly context: PageContext;
  readonly providers: readonly ProviderLink[] | undefined;
  /** The search field, if there are more providers than are shown. */
  readonly search?: ProviderSearch | undefined;
  readonly texts: PageTexts;
  /** Whether there is no other way. */
  readonly isAlone?: boolean;
}

/** Beside a form of ours: the other ways in. */
export function ProviderLinks(props: ProviderLinksProps): VNode | null {
  const { context, providers = [], search, texts, isAlone = false } = props;
  if (providers.length === 0 && search === undefined) return null;
  return (
    <div class="providers">
      {!isAlone && <p class="divider">{texts.provider.or}</p>}
      {search !== undefined && (
        <ProviderSearchForm context={context} search={search} found={providers.length} texts={texts} />
      )}
      {providers.length > 0 && (
        <ul aria-label={texts.provider.list}>
          {providers.map((provider) => (
            <li>
              <ProviderButton context={context} provider={provider} texts={texts} />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
