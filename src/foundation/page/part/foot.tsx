import type { VNode } from 'preact';
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
        <LanguageForm context={context} texts={texts} place={context.languageSwitch} />
      )}
      {namesProduct && <p>{words.service}</p>}
    </footer>
  );
}

/** A form of its own, since there is no script to notice a choice. It asks for the same page once more. */
function LanguageForm({ context, texts, place }: InPage<{ readonly place: LanguageSwitch }>): VNode {
  return (
    <form class="language" method={context.request ? 'post' : 'get'} action={place.action}>
      {context.request && <RequestFields request={context.request} />}
      {Object.entries(place.fields).map(([name, value]) => (
        <input type="hidden" name={name} value={value} />
      ))}
      <label for="ui_locales">{texts.frame.language}</label>
      <select id="ui_locales" name="ui_locales" autocomplete="language">
        {loginLanguages.map((language) => (
          <option value={language} lang={language} selected={language === context.language}>
            {nameOf(language)}
          </option>
        ))}
      </select>
      <button type="submit">{texts.frame.switchLanguage}</button>
    </form>
  );
}
