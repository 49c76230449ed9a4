import type { ComponentChildren, VNode } from 'preact';
import { paths } from '../../org/instance/paths.js';
import { Account } from '../part/account.js';
import type { InPage } from '../part/context.js';
import { Heading } from '../part/heading.js';
import { Layout } from '../part/layout.js';
import type { OverviewFrame, OverviewSectionName } from './overview-facts.js';

interface LayoutProps {
  readonly frame: OverviewFrame;
  /** The section of the page; absent where it belongs to none. */
  readonly section?: OverviewSectionName | undefined;
  /** Absent on the page of a section, whose name it bears. */
  readonly title?: string | undefined;
  /** The title with the names in it kept apart; `title` by default. */
  readonly heading?: ComponentChildren;
  readonly lead?: ComponentChildren;
  readonly hasErrors?: boolean | undefined;
  readonly children: ComponentChildren;
}

/** A page of the overview: who reads it, the way to the sections, what it is about, and what has just been done. */
export function OverviewLayout({ context, texts, frame, section, ...props }: InPage<LayoutProps>): VNode {
  const words = texts.overviewPage;
  const title = props.title ?? (section === undefined ? words.title : words.sections[section]);
  const current = props.title === undefined ? 'page' : 'true';
  return (
    <Layout context={context} texts={texts} title={title} hasErrors={props.hasErrors} isWide>
      <div class="account-bar">
        <Account person={frame.person} />
        <ul class="account-ways">
          <li>
            <a href={paths.account}>{words.account}</a>
          </li>
          <li>
            <a href={paths.accountSwitch}>{texts.accountPage.switch}</a>
          </li>
          <li>
            <a href={paths.signOut}>{texts.signedIn.signOut}</a>
          </li>
        </ul>
      </div>
      <nav class="account-nav overview-nav" aria-label={words.sectionsLabel}>
        <ul>
          {frame.sections.map(({ name, href }) => (
            <li>
              <a href={href} aria-current={name === section ? current : undefined}>
                {words.sections[name]}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <p class="place dotted">
        <span>{frame.place.name === undefined ? words.instance : <bdi>{frame.place.name}</bdi>}</span>
        {frame.place.wholeHref !== undefined && <a href={frame.place.wholeHref}>{words.instance}</a>}
      </p>
      <Heading title={props.heading ?? title}>{props.lead}</Heading>
      {frame.done !== undefined && <Done what={words.done[frame.done.what]} isGood={frame.done.isGood} />}
      {props.children}
    </Layout>
  );
}

function Done({ what, isGood }: { readonly what: string; readonly isGood: boolean }): VNode {
  return (
    <div class={isGood ? 'notice notice-done' : 'notice notice-error'} role={isGood ? 'status' : 'alert'}>
      <p>{what}</p>
    </div>
  );
}
