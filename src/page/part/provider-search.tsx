import type { VNode } from 'preact';
import type { ServicePath } from '../../org/instance/paths.js';
import type { PageTexts } from '../catalogue/catalogue.js';
import type { PageContext } from './context.js';
import { Field } from './field.js';
import { RequestFields } from './way.js';

/** The field of the search. */
export const PROVIDER_NAME = 'providerName';

/** A search among providers that are more than a page shows. */
export interface ProviderSearch {
  /** The path of the page that shows the providers. */
  readonly action: ServicePath;
  readonly typed: string | undefined;
  /** Whether there are more than are shown. */
  readonly isCut: boolean;
}

interface ProviderSearchFormProps {
  readonly context: PageContext;
  readonly search: ProviderSearch;
  /** How many providers are shown. */
  readonly found: number;
  readonly texts: PageTexts;
}

/** Works without a script. Within a sign-in it carries the sealed request, which an address could not hold. */
export function ProviderSearchForm({ context, search, found, texts }: ProviderSearchFormProps): VNode {
  const { request } = context;
  const words = texts.provider;
  return (
    <form class="form" role="search" method={request === undefined ? 'get' : 'post'} action={search.action}>
      {request !== undefined && <RequestFields request={request} />}
      <Field
        kind="text"
        name={PROVIDER_NAME}
        label={words.search}
        value={search.typed}
        autocomplete="off"
        optional
        focus={search.typed !== undefined}
      />
      <button type="submit" class="button button-quiet">
        {words.find}
      </button>
      {found === 0 && <p role="status">{words.notFound}</p>}
      {found > 0 && search.isCut && <p class="quiet">{words.more}</p>}
    </form>
  );
}
