import type { VNode } from 'preact';
import type { InPage } from '../part/context.js';
import { Badge, Block, List } from './block.js';
import type { OverviewPeopleProps } from './overview-facts.js';
import { OverviewLayout } from './overview-layout.js';
import { Search } from './search.js';

export function OverviewPeoplePage({ context, texts, frame, ...props }: InPage<OverviewPeopleProps>): VNode {
  const words = texts.overviewPeople;
  const { search, people, hasMore, docs } = props;
  return (
    <OverviewLayout context={context} texts={texts} frame={frame} section="people">
      <Search search={search} texts={texts} label={words.label} hint={words.hint} focus={search.query === ''} />
      {people !== undefined && (
        <Block title={words.found} texts={texts} docs={docs}>
          <List lines={people} none={words.none}>
            {({ href, displayName, state, isServiceUser, ...person }) => (
              <div>
                <p class="tagged">
                  <a href={href}>
                    <bdi>{displayName}</bdi>
                  </a>
                  <Badge isBad={state === 'locked' || state === 'inactive'}>{words.states[state]}</Badge>
                  {isServiceUser && <Badge>{words.serviceUser}</Badge>}
                </p>
                <p class="hint dotted">
                  {namesOf(person).map((name) => (
                    <bdi>{name}</bdi>
                  ))}
                </p>
              </div>
            )}
          </List>
          {hasMore === true && <p class="hint">{texts.overviewPage.more}</p>}
        </Block>
      )}
    </OverviewLayout>
  );
}

/** Each once: the login name of many people is their address. */
function namesOf(person: { readonly loginName: string; readonly email: string; readonly orgName: string }): string[] {
  return [...new Set([person.loginName, person.email, person.orgName])].filter((name) => name !== '');
}
