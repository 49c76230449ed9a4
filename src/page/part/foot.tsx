import type { VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { type LoginLanguage, loginLanguages, nameOf } from '../catalogue/catalogue.js';
import type { InPage } from './context.js';
import type { LanguageSwitch } from './look.js';
import { Slot } from './slot.js';
import { RequestFields, sharesFormOfWays, WAYS } from './way.js';

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
      <Slot context={context} place="foot" />
      {namesProduct && <p>{words.service}</p>}
    </footer>
  );
}

/**
 * A list to unfold, without a script: each language is a button that looks like a link, because an address could not
 * hold the sealed request of a sign-in. It asks for the same page once more, within a sign-in by the form of the other
 * ways.
 */
function LanguageMenu({ context, texts, place }: InPage<{ readonly place: LanguageSwitch }>): VNode {
  const isWay = sharesFormOfWays(context);
  const list = (
    <ul aria-label={texts.frame.language} dangerouslySetInnerHTML={{ __html: buttonsFor(context.language, isWay) }} />
  );
  return (
    <details class="languages">
      <summary>
        <span>
          {texts.frame.language}: <bdi>{nameOf(context.language)}</bdi>
        </span>
      </summary>
      {isWay ? (
        list
      ) : (
        <form method={context.request ? 'post' : 'get'} action={place.action}>
          {context.request && <RequestFields request={context.request} />}
          {Object.entries(place.fields).map(([name, value]) => (
            <input type="hidden" name={name} value={value} />
          ))}
          {list}
        </form>
      )}
    </details>
  );
}

/**
 * The buttons by language and form: rendering them took as long as all the rest of a page. Names in other scripts are
 * written as character references: with letters beyond Latin-1, the whole page would be twice as long in memory, and be
 * converted when it is sent.
 */
const buttons = new Map<string, string>();

function buttonsFor(current: LoginLanguage, isWay: boolean): string {
  const key = `${current} ${isWay}`;
  let html = buttons.get(key);
  if (html === undefined) {
    html = toAscii(renderToString(<LanguageButtons current={current} isWay={isWay} />));
    buttons.set(key, html);
  }
  return html;
}

function toAscii(html: string): string {
  const ascii = html.replace(/\P{ASCII}/gu, (letter) => `&#${letter.codePointAt(0)!};`);
  // V8 keeps what `replace` returns as wide as what was there before, until the string is made anew.
  return Buffer.from(ascii, 'ascii').toString('latin1');
}

function LanguageButtons({ current, isWay }: { readonly current: LoginLanguage; readonly isWay: boolean }): VNode {
  return (
    <>
      {loginLanguages.map((language) => (
        <li>
          <button
            form={isWay ? WAYS : undefined}
            name="ui_locales"
            value={language}
            lang={language}
            aria-current={language === current ? 'true' : undefined}
          >
            {nameOf(language)}
          </button>
        </li>
      ))}
    </>
  );
}
