import type { VNode } from 'preact';
import type { Drawing } from '../../foundation/drawing/drawing.js';
import { fill } from '../catalogue/catalogue.js';
import type { InPage } from '../part/context.js';
import type { FormTarget } from '../part/form.js';
import { Form } from '../part/form.js';
import type { FormErrors } from '../part/form-error.js';
import { ErrorNotice } from '../part/form-error.js';
import { Moment } from '../part/moment.js';
import { OwnMark } from '../part/provider-links.js';
import { type ProviderSearch, ProviderSearchForm } from '../part/provider-search.js';
import { type AccountFrame, AccountLayout } from './account-layout.js';

/** The names on the wire of what a link is. */
export interface AccountLink {
  readonly provider: string;
  readonly account: string;
  readonly providerName: string;
  /** The name of the account there; empty if unknown. */
  readonly accountName: string;
  /** The mark that the kind of the provider brings. */
  readonly mark?: Drawing | undefined;
  readonly since: Date;
}

export interface AccountLinksProps {
  readonly frame: AccountFrame;
  readonly target: FormTarget;
  readonly links: readonly AccountLink[];
  /** The providers that the organization offers. */
  readonly offered: ReadonlyArray<Pick<AccountLink, 'provider' | 'providerName' | 'mark'>>;
  /** The search field, if there are more providers than are shown. */
  readonly search?: ProviderSearch | undefined;
  readonly errors?: FormErrors<never>;
}

export function AccountLinksPage({ context, texts, frame, ...props }: InPage<AccountLinksProps>): VNode {
  const words = texts.accountLinks;
  const { links, offered, search, target, errors } = props;
  return (
    <AccountLayout
      context={context}
      texts={texts}
      frame={frame}
      section="links"
      lead={links.length === 0 ? words.none : words.what}
      hasErrors={Boolean(errors?.length)}
    >
      <ErrorNotice errors={errors} texts={texts} />
      {links.length > 0 && (
        <ul class="panel account-items">
          {links.map(({ provider, account, providerName, accountName, mark, since }) => (
            <li>
              <div>
                <p>
                  {mark !== undefined && <OwnMark mark={mark} />}
                  <strong>
                    <bdi>{providerName}</bdi>
                  </strong>
                  {accountName !== '' && (
                    <span class="quiet">
                      <bdi>{accountName}</bdi>
                    </span>
                  )}
                </p>
                <dl class="account-facts">
                  <dt>{texts.accountApplications.since}</dt>
                  <dd>
                    <Moment context={context} at={since} to="day" timeZone={frame.timeZone} />
                  </dd>
                </dl>
              </div>
              <Form target={{ ...target, fields: { provider, account } }}>
                <button type="submit" class="button button-quiet" name="decision" value="remove">
                  {fill(texts.accountPage.removeThing, { title: providerName })}
                </button>
              </Form>
            </li>
          ))}
        </ul>
      )}
      {search !== undefined && (
        <ProviderSearchForm context={context} search={search} found={offered.length} texts={texts} />
      )}
      {offered.map(({ provider, providerName, mark }) => (
        <Form target={{ ...target, fields: { provider } }}>
          <button
            type="submit"
            class={mark === undefined ? 'button button-quiet' : 'button button-quiet provider'}
            name="decision"
            value="add"
          >
            {mark !== undefined && <OwnMark mark={mark} />}
            {fill(words.add, { provider: providerName })}
          </button>
        </Form>
      ))}
    </AccountLayout>
  );
}
