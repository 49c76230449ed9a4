import type { VNode } from 'preact';
import { waitIn } from '../foundation/language/duration-text.js';
import type { ServicePath } from '../org/instance/paths.js';
import { fill, type PageTexts } from './catalogue/catalogue.js';
import type { InPage } from './part/context.js';
import { EntryLink } from './part/entry-link.js';
import { Heading } from './part/heading.js';
import { Layout } from './part/layout.js';
import type { ProviderLink } from './part/provider-links.js';
import { ProviderLinks } from './part/provider-links.js';
import type { ProviderSearch } from './part/provider-search.js';
import { Way } from './part/way.js';

/** The errors that pages name, in the words of the catalogue: a caller's own text is never shown as ours. */
export type ErrorReason = Exclude<keyof PageTexts['error'], 'received' | 'reference' | 'back' | 'stillSignedIn'>;

export interface ErrorProps {
  readonly reason: ErrorReason;
  /** After how many seconds another attempt makes sense, if that is known. */
  readonly waitSeconds?: number | undefined;
  /** The value at fault as it came, such as a redirect URI: it helps the people who run the application. */
  readonly received?: string | undefined;
  /** Whether a user is still signed in, after a refused sign-out. */
  readonly stillSignedIn?: boolean | undefined;
  /** A number that leads support to the line in the log. */
  readonly reference?: string | undefined;
  /** Within a sign-in that can go on: to its first page; otherwise the page leads to the entry. */
  readonly backHref?: ServicePath | undefined;
  /** The part of the service that the page is of, to which the way back leads. */
  readonly isIn?: 'account' | 'overview' | undefined;
  /** The providers at which users can sign in instead. */
  readonly providers?: readonly ProviderLink[] | undefined;
  readonly providerSearch?: ProviderSearch | undefined;
}

/** How many characters are shown: enough to recognize a redirect URI, too little for a message of an attacker. */
const longestReceived = 300;

function shortened(value: string): string {
  return value.length > longestReceived ? `${value.slice(0, longestReceived)}…` : value;
}

export function ErrorPage({ context, texts, ...props }: InPage<ErrorProps>): VNode {
  const words = texts.error[props.reason];
  return (
    <Layout context={context} texts={texts} title={words.title}>
      <Heading title={words.title}>{words.what}</Heading>
      {props.stillSignedIn === true && <p>{texts.error.stillSignedIn}</p>}
      <p>
        {props.isIn !== undefined && props.reason === 'forbidden'
          ? texts.formError.formStale
          : fill(words.todo, { duration: waitIn(context.language, props.waitSeconds ?? 0) })}
      </p>
      {(props.received ?? props.reference) !== undefined && (
        <dl class="facts">
          {props.received !== undefined && <Fact name={texts.error.received} value={shortened(props.received)} />}
          {props.reference !== undefined && <Fact name={texts.error.reference} value={props.reference} />}
        </dl>
      )}
      <ProviderLinks
        context={context}
        providers={props.providers}
        search={props.providerSearch}
        texts={texts}
        isAlone
      />
      {props.backHref === undefined ? (
        <EntryLink texts={texts} isMain={!props.providers?.length} />
      ) : (
        <Way context={context} class={props.providers?.length ? 'button button-quiet' : 'button'} to={props.backHref}>
          {backWords(props.isIn, texts)}
        </Way>
      )}
    </Layout>
  );
}

function backWords(isIn: ErrorProps['isIn'], texts: PageTexts): string {
  if (isIn === undefined) return texts.error.back;
  return isIn === 'account' ? texts.accountPage.back : texts.overviewPage.title;
}

function Fact({ name, value }: { readonly name: string; readonly value: string }): VNode {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <bdi>{value}</bdi>
      </dd>
    </div>
  );
}
