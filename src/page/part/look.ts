import type { ServicePath } from '../../org/instance/paths.js';

/** Links to an organization's own pages, and an e-mail address. */
export interface PageLinks {
  readonly tos?: string | undefined;
  readonly privacy?: string | undefined;
  readonly help?: string | undefined;
  readonly docs?: string | undefined;
  /** A link with a text of the organization's own. */
  readonly custom?: { readonly href: string; readonly text: string } | undefined;
  readonly supportEmail?: string | undefined;
}

/** The differences between an organization's pages and ours. */
export interface PageLook {
  /** Colours, as a stylesheet after ours. */
  readonly stylesheet?: ServicePath | undefined;
  /** The logo, which replaces the mark and the name. */
  readonly logo?: { readonly light: ServicePath; readonly dark: ServicePath } | undefined;
  /** The icon for the browser's tab. */
  readonly icon?: ServicePath | undefined;
  /** The theme of the reader's device, or always one of the two. */
  readonly colorScheme: 'light dark' | 'light' | 'dark';
  /** Whether the pages name the product. */
  readonly namesProduct: boolean;
  readonly links: PageLinks;
}

export const PLAIN_LOOK: PageLook = { colorScheme: 'light dark', namesProduct: true, links: {} };

/** The same page in another language: its address and parameters. */
export interface LanguageSwitch {
  readonly action: ServicePath;
  readonly fields: Readonly<Record<string, string>>;
}
