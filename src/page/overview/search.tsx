import type { VNode } from 'preact';
import type { PageTexts } from '../catalogue/catalogue.js';
import { Field } from '../part/field.js';
import type { SearchForm } from './overview-facts.js';

/** The parameter with the searched text. */
export const QUERY = 'query';

interface SearchProps {
  readonly search: SearchForm;
  readonly texts: PageTexts;
  readonly label: string;
  readonly hint?: string | undefined;
  /** Whether the page is about nothing else yet. */
  readonly focus?: boolean | undefined;
}

/** A search, whose result has an address of its own. */
export function Search({ search, texts, label, hint, focus = false }: SearchProps): VNode {
  return (
    // biome-ignore lint/a11y/useSemanticElements: browsers that are still in use do not know the element search.
    <form class="form search" role="search" method="get" action={search.action}>
      {Object.entries(search.fields ?? {}).map(([name, value]) => (
        <input type="hidden" name={name} value={value} />
      ))}
      <Field
        kind="loginName"
        name={QUERY}
        label={label}
        hint={hint}
        value={search.query}
        autocomplete="off"
        optional
        focus={focus}
      />
      <button type="submit" class="button">
        {texts.overviewPage.search}
      </button>
    </form>
  );
}
