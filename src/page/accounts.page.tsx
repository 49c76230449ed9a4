import type { VNode } from 'preact';
import type { ServicePath } from '../org/instance/paths.js';
import type { PageTexts } from './catalogue/catalogue.js';
import type { Person } from './part/account.js';
import { Account } from './part/account.js';
import type { InPage } from './part/context.js';
import { Filled } from './part/filled.js';
import type { FormTarget } from './part/form.js';
import { Form } from './part/form.js';
import type { FormErrors } from './part/form-error.js';
import { ErrorNotice } from './part/form-error.js';
import { Heading } from './part/heading.js';
import { Layout } from './part/layout.js';
import { Way } from './part/way.js';

export interface KnownAccount extends Person {
  /** Comes back as the form field `userID`. */
  readonly userId: string;
  readonly signedIn: boolean;
}

export interface AccountsProps {
  readonly form: FormTarget;
  readonly accounts: readonly KnownAccount[];
  readonly otherAccountHref: ServicePath;
  readonly clientName?: string | undefined;
  readonly errors?: FormErrors<never>;
}

/** Each account is a button of the one form; the first of them is the form's submit button, as on every page. */
export function AccountsPage({ context, texts, ...props }: InPage<AccountsProps>): VNode {
  const words = texts.accounts;
  return (
    <Layout context={context} texts={texts} title={words.title} hasErrors={Boolean(props.errors?.length)}>
      <Heading title={words.title}>
        {props.clientName !== undefined && <Filled text={words.continueTo} values={{ client: props.clientName }} />}
      </Heading>
      <ErrorNotice errors={props.errors} texts={texts} />
      <Form target={props.form}>
        <ul class="accounts" aria-label={words.list}>
          {props.accounts.map((account, index) => (
            <li>
              <AccountButton account={account} first={index === 0} texts={texts} />
            </li>
          ))}
        </ul>
      </Form>
      <Way context={context} class="button button-quiet" to={props.otherAccountHref}>
        {texts.account.other}
      </Way>
    </Layout>
  );
}

interface AccountButtonProps {
  readonly account: KnownAccount;
  readonly first: boolean;
  readonly texts: PageTexts;
}

function AccountButton({ account, first, texts }: AccountButtonProps): VNode {
  const state = account.signedIn ? texts.account.signedIn : texts.account.signedOut;
  return (
    <button
      type="submit"
      id={first ? 'submit' : undefined}
      class={account.signedIn ? 'account-button is-signed-in' : 'account-button'}
      name="userID"
      value={account.userId}
    >
      <Account person={account} state={state} />
    </button>
  );
}
