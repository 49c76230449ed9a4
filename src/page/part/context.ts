import type { ServicePath } from '../../org/instance/paths.js';
import type { LoginLanguage, PageTexts } from '../catalogue/catalogue.js';
import type { ExtLook } from './ext-look.js';
import type { ExtScopeWords } from './ext-texts.js';
import type { LanguageSwitch, PageLook } from './look.js';

/** The data that every page needs beside its own props. */
export interface PageContext {
  readonly language: LoginLanguage;
  /** The texts of that language, with what an organization has written itself; else the built-in ones. */
  readonly texts?: PageTexts | undefined;
  /** The instance or organization that signs people in; shown beside the mark and in the title. */
  readonly brand: string;
  readonly look: PageLook;
  /** The stylesheet with its hash, `/ui/login/assets/login.css?v=…`, so that it may be cached for good. */
  readonly stylesheet: ServicePath;
  /** Comforts, and what speaks with authenticators. */
  readonly scripts?: readonly ServicePath[] | undefined;
  /** The sign-in that the page belongs to, which its ways to other pages carry. */
  readonly request?: { readonly authRequestId: string; readonly csrf: string } | undefined;
  /** The application that the reader may go back to, by a proved address; absent where the page offers that itself. */
  readonly backTo?: string | undefined;
  /** Absent where the page cannot be asked for once more. */
  readonly languageSwitch?: LanguageSwitch | undefined;
  /** The parts that extensions add. */
  readonly own?: ExtLook | undefined;
  /** The meanings of the scopes of extensions. */
  readonly extScopes?: ExtScopeWords | undefined;
}

/** The props of a component: its own, and the page it stands on. */
export type InPage<Props> = Props & { readonly context: PageContext; readonly texts: PageTexts };
