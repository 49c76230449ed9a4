import type { OwnPath } from './paths.js';

/** Where people find what an organization has to say; addresses of the web, and an e-mail address. */
export interface PageLinks {
  readonly tos?: string | undefined;
  readonly privacy?: string | undefined;
  readonly help?: string | undefined;
  readonly docs?: string | undefined;
  /** In words of their own. */
  readonly custom?: { readonly href: string; readonly text: string } | undefined;
  readonly supportEmail?: string | undefined;
}

/** How the pages of whoever runs them differ from ours. */
export interface PageLook {
  /** Colours, as a stylesheet after ours. */
  readonly stylesheet?: OwnPath | undefined;
  /** In place of the mark and the name. */
  readonly logo?: { readonly light: OwnPath; readonly dark: OwnPath } | undefined;
  /** For the browser's tab. */
  readonly icon?: OwnPath | undefined;
  /** As the reader's device has it, or always one of both. */
  readonly colorScheme: 'light dark' | 'light' | 'dark';
  /** Whether the pages say by which product they are. */
  readonly namesProduct: boolean;
  readonly links: PageLinks;
}

export const PLAIN_LOOK: PageLook = { colorScheme: 'light dark', namesProduct: true, links: {} };

/** The same page once more in another language: where to ask for it, and with which parameters. */
export interface LanguageSwitch {
  readonly action: OwnPath;
  readonly fields: Readonly<Record<string, string>>;
}
