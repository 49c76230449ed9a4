import type { VNode } from 'preact';
import type { ServicePath } from '../../org/instance/paths.js';
import type { PageTexts } from '../catalogue/catalogue.js';
import type { InPage } from '../part/context.js';
import type { ReturnAddressLink } from '../part/return-link.js';
import { ReturnLink } from '../part/return-link.js';
import { type AccountFrame, AccountLayout, type AccountSectionName, SECTION_PATHS } from './account-layout.js';

export interface AccountOverviewProps {
  readonly frame: AccountFrame;
  /** The weightiest thing that its owner should do, and where. */
  readonly hint?:
    | { readonly what: keyof PageTexts['accountPage']['hint']; readonly at: AccountSectionName }
    | undefined;
  /** The reason, or another way, for users who wanted to change the password where the organization closes that. */
  readonly password?: 'passwordsNotAllowed' | 'passwordResetClosed' | { readonly resetHref: ServicePath } | undefined;
  /** The application that led here. */
  readonly returnTo?: ReturnAddressLink | undefined;
}

const GROUPS: ReadonlyArray<readonly [keyof PageTexts['accountPage']['groups'], readonly AccountSectionName[]]> = [
  ['details', ['profile', 'contact']],
  ['security', ['password', 'keys', 'steps', 'links']],
  ['devices', ['devices', 'applications', 'activity']],
  ['data', ['data', 'deletion']],
];

export function AccountOverviewPage({
  context,
  texts,
  frame,
  hint,
  password,
  returnTo,
}: InPage<AccountOverviewProps>): VNode {
  const words = texts.accountPage;
  const groups = GROUPS.map(([group, all]) => ({ group, names: all.filter((name) => frame.sections.includes(name)) }));
  return (
    <AccountLayout context={context} texts={texts} frame={frame}>
      {password !== undefined && <ClosedPassword texts={texts} password={password} />}
      {hint !== undefined && (
        <p class="notice notice-info">
          <a href={SECTION_PATHS[hint.at]}>{words.hint[hint.what]}</a>
        </p>
      )}
      <div class="account-groups">
        {groups
          .filter(({ names }) => names.length > 0)
          .map(({ group, names }) => (
            <section class="account-group">
              <h2>{words.groups[group]}</h2>
              <ul>
                {names.map((name) => (
                  <li>
                    <a href={SECTION_PATHS[name]}>{words.sections[name]}</a>
                  </li>
                ))}
              </ul>
            </section>
          ))}
      </div>
      <ReturnLink to={returnTo} named={texts.signedOut.returnTo} unnamed={texts.signedOut.returnToApplication} />
    </AccountLayout>
  );
}

function ClosedPassword({
  texts,
  password,
}: {
  readonly texts: PageTexts;
  readonly password: NonNullable<AccountOverviewProps['password']>;
}): VNode {
  return (
    <div class="notice notice-info">
      <p class="notice-title">{texts.accountPage.sections.password}</p>
      {password === 'passwordsNotAllowed' && <p>{texts.error.passwordsNotAllowed.what}</p>}
      {password === 'passwordResetClosed' && (
        <p>
          {texts.error.passwordResetClosed.what} {texts.error.passwordResetClosed.todo}
        </p>
      )}
      {typeof password === 'object' && (
        <p>
          {texts.passwordReset.what} <a href={password.resetHref}>{texts.passwordReset.title}</a>
        </p>
      )}
    </div>
  );
}
