import type { VNode } from 'preact';
import type { ServicePath } from '../../org/instance/paths.js';
import type { PageTexts } from '../catalogue/catalogue.js';
import type { InPage } from '../part/context.js';
import { Moment } from '../part/moment.js';
import { type AccountFrame, AccountLayout, type AccountSectionName, SECTION_PATHS } from './account-layout.js';

export type AccountDeed = keyof PageTexts['accountActivity']['deeds'];

export interface AccountActivity {
  readonly at: Date;
  readonly what: AccountDeed;
  /** How the user signed in. */
  readonly how?: 'password' | 'provider' | 'passkey' | undefined;
  /** Names of the browser and its system, or of the user and the application that acted; as far as they are known. */
  readonly names: readonly string[];
  readonly isByAdministrator: boolean;
}

export interface AccountActivityProps {
  readonly frame: AccountFrame;
  /** The newest first. */
  readonly activities: readonly AccountActivity[];
  /** The address of earlier activities; absent on the last page. */
  readonly olderHref?: ServicePath | undefined;
}

/** The sections in which a user ends what somebody else has done, as far as the organization leaves it to users. */
const REMEDIES: readonly AccountSectionName[] = ['password', 'devices', 'keys'];

/** What happened to the account, and from which browser. */
export function AccountActivityPage({ context, texts, frame, ...props }: InPage<AccountActivityProps>): VNode {
  const words = texts.accountActivity;
  const { activities, olderHref } = props;
  const remedies = REMEDIES.filter((name) => frame.sections.includes(name));
  return (
    <AccountLayout
      context={context}
      texts={texts}
      frame={frame}
      section="activity"
      lead={activities.length === 0 ? words.none : words.what}
    >
      {activities.length > 0 && (
        <ul class="panel account-items">
          {activities.map((activity) => (
            <li>
              <div>
                <p>
                  <strong>{words.deeds[activity.what]}</strong>
                </p>
                <p>
                  <Moment context={context} at={activity.at} to="minute" timeZone={frame.timeZone} />
                  {detailsOf(activity, texts).map((detail) => (
                    <>
                      {' · '}
                      <bdi>{detail}</bdi>
                    </>
                  ))}
                </p>
              </div>
            </li>
          ))}
        </ul>
      )}
      {olderHref !== undefined && (
        <a class="button button-quiet" href={olderHref}>
          {words.older}
        </a>
      )}
      {activities.length > 0 && remedies.length > 0 && (
        <>
          <p>{words.notYou}</p>
          <ul class="account-ways">
            {remedies.map((name) => (
              <li>
                <a href={SECTION_PATHS[name]}>{texts.accountPage.sections[name]}</a>
              </li>
            ))}
          </ul>
        </>
      )}
    </AccountLayout>
  );
}

function detailsOf({ how, names, isByAdministrator }: AccountActivity, texts: PageTexts): string[] {
  const means = {
    password: texts.password.label,
    provider: texts.accountDevices.byProvider,
    passkey: texts.accountActivity.passkey,
  };
  return [
    ...(how === undefined ? [] : [means[how]]),
    ...names,
    ...(isByAdministrator ? [texts.accountActivity.byAdministrator] : []),
  ];
}
