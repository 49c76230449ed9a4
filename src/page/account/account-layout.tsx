import type { ComponentChildren, VNode } from 'preact';
import type { ServicePath } from '../../org/instance/paths.js';
import { paths } from '../../org/instance/paths.js';
import { fill, type PageTexts } from '../catalogue/catalogue.js';
import { Account, type Person } from '../part/account.js';
import type { InPage } from '../part/context.js';
import { Heading } from '../part/heading.js';
import { Layout } from '../part/layout.js';

/** The sections of the account, in their order; each is the name of its texts. */
export type AccountSectionName = keyof PageTexts['accountPage']['sections'];

/** The change that was just made, in the words of the catalogue. */
export type AccountDone = keyof PageTexts['accountPage']['done'];

/** The parts that every page of the account shows besides its own. */
export interface AccountFrame {
  readonly person: Person;
  /** The sections that are open to this user. */
  readonly sections: readonly AccountSectionName[];
  /** The time zone of the user's profile; undefined if it names none. */
  readonly timeZone?: string | undefined;
  readonly done?: { readonly what: AccountDone; readonly count?: number | undefined } | undefined;
}

export const SECTION_PATHS: Readonly<Record<AccountSectionName, ServicePath>> = {
  profile: paths.accountProfile,
  contact: paths.accountContact,
  password: paths.accountPassword,
  keys: paths.accountKeys,
  steps: paths.accountSteps,
  links: paths.accountLinks,
  devices: paths.accountDevices,
  applications: paths.accountApplications,
  activity: paths.accountActivity,
  data: paths.accountData,
  deletion: paths.accountDeletion,
};

interface LayoutProps {
  readonly frame: AccountFrame;
  /** The current section; absent on the overview. */
  readonly section?: AccountSectionName | undefined;
  readonly title?: string | undefined;
  readonly lead?: ComponentChildren;
  readonly hasErrors?: boolean | undefined;
  readonly children: ComponentChildren;
}

/** A page of the account: who it is about, the way to the other sections, and what has just been done. */
export function AccountLayout({ context, texts, frame, section, ...props }: InPage<LayoutProps>): VNode {
  const words = texts.accountPage;
  const title = props.title ?? (section === undefined ? words.title : words.sections[section]);
  return (
    <Layout context={context} texts={texts} title={title} hasErrors={props.hasErrors} isWide>
      <div class="account-bar">
        <Account person={frame.person} />
        <ul class="account-ways">
          <li>
            <a href={paths.accountSwitch}>{words.switch}</a>
          </li>
          <li>
            <a href={paths.signOut}>{texts.signedIn.signOut}</a>
          </li>
        </ul>
      </div>
      {section !== undefined && (
        <nav class="account-nav" aria-label={words.title}>
          <a href={paths.account}>{words.back}</a>
          <ul>
            {frame.sections.map((name) => (
              <li>
                <a href={SECTION_PATHS[name]} aria-current={name === section ? 'page' : undefined}>
                  {words.sections[name]}
                </a>
              </li>
            ))}
          </ul>
        </nav>
      )}
      <Heading title={title}>{props.lead}</Heading>
      {frame.done !== undefined && (
        <div class="notice notice-done" role="status">
          <p>{fill(words.done[frame.done.what], { count: frame.done.count ?? 0 })}</p>
        </div>
      )}
      {props.children}
    </Layout>
  );
}
