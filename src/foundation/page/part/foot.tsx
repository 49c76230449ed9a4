import type { VNode } from 'preact';
import { directionOf } from '../../language/language-tag.js';
import { loginLanguages, nameOf } from '../catalogue/catalogue.js';
import type { InPage } from '../context.js';
import type { LanguageSwitch } from '../look.js';
import { RequestFields } from './way.js';

/** Below every page: what the organization has to say, the language, and by which product the page is. */
export function Foot({ context, texts }: InPage<object>): VNode {
  const { links, namesProduct } = context.look;
  const words = texts.frame;
  const entries = [
    [links.tos, words.tos],
    [links.privacy, words.privacy],
    [links.help, words.help],
    [links.docs, words.docs],
    [links.custom?.href, links.custom?.text],
    [links.supportEmail === undefined ? undefined : `mailto:${links.supportEmail}`, words.support],
  ] as const;
  const shown = entries.flatMap(([href, text]) => (href === undefined ? [] : [{ href, text }]));
  return (
    <footer class="foot">
      {shown.length > 0 && (
        <ul class="foot-links">
          {shown.map(({ href, text }) => (
            <li>
              <a href={href} rel="noreferrer">
                {text}
              </a>
            </li>
          ))}
        </ul>
      )}
      {context.languageSwitch !== undefined && loginLanguages.length > 1 && (
        <LanguageMenu context={context} texts={texts} place={context.languageSwitch} />
      )}
      {namesProduct && <p>{words.service}</p>}
    </footer>
  );
}

/**
 * A list to unfold, without a script: each language is a button that looks like a link, because an address could not hold
 * the sealed request of a sign-in. It asks for the same page once more.
 */
function LanguageMenu({ context, texts, place }: InPage<{ readonly place: LanguageSwitch }>): VNode {
  return (
    <details class="languages">
      <summary>
        <span>
          {texts.frame.language}: <bdi>{nameOf(context.language)}</bdi>
        </span>
      </summary>
      <form method={context.request ? 'post' : 'get'} action={place.action}>
        {context.request && <RequestFields request={context.request} />}
        {Object.entries(place.fields).map(([name, value]) => (
          <input type="hidden" name={name} value={value} />
        ))}
        <ul aria-label={texts.frame.language}>
          {loginLanguages.map((language) => (
            <li>
              <button
                type="submit"
                class="link"
                name="ui_locales"
                value={language}
                lang={language}
                dir={directionOf(language)}
                aria-current={language === context.language ? 'true' : undefined}
              >
                {nameOf(language)}
              </button>
            </li>
          ))}
        </ul>
      </form>
    </details>
  );
}
