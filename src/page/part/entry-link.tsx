import type { VNode } from 'preact';
import { paths } from '../../org/instance/paths.js';
import type { PageTexts } from '../catalogue/catalogue.js';

interface EntryLinkProps {
  readonly texts: PageTexts;
  readonly isMain?: boolean;
}

/**
 * The way on from a page that would otherwise be a dead end: to the entry, which knows where the people of an
 * organization begin, and who is signed in.
 */
export function EntryLink({ texts, isMain = true }: EntryLinkProps): VNode {
  return (
    <a class={isMain ? 'button' : 'button button-quiet'} href={paths.hub}>
      {texts.error.back}
    </a>
  );
}
