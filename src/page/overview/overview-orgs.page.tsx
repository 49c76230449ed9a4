import type { VNode } from 'preact';
import { fill } from '../catalogue/catalogue.js';
import type { InPage } from '../part/context.js';
import { Badge, Block, InDocs, List } from './block.js';
import type { OverviewOrgsProps } from './overview-facts.js';
import { OverviewLayout } from './overview-layout.js';
import { Search } from './search.js';

export function OverviewOrgsPage({ context, texts, frame, ...props }: InPage<OverviewOrgsProps>): VNode {
  const words = texts.overviewOrgs;
  const { sections, more } = texts.overviewPage;
  const { search, orgs, hasMore } = props;
  return (
    <OverviewLayout context={context} texts={texts} frame={frame} section="organizations">
      <Search search={search} texts={texts} label={words.label} />
      <Block title={words.found} texts={texts}>
        <List lines={orgs} none={words.none}>
          {({ name, domain, isActive, homeHref, applicationsHref, policiesHref, docs }) => (
            <div>
              <p class="tagged">
                <a href={homeHref}>
                  <bdi>{name}</bdi>
                </a>
                <Badge isBad={!isActive}>{isActive ? words.active : words.inactive}</Badge>
              </p>
              <p class="hint tagged">
                <bdi dir="ltr">{domain}</bdi>
                <InDocs link={docs} texts={texts} />
              </p>
              <ul class="account-ways">
                <li>
                  <a href={applicationsHref} aria-label={fill(words.of, { title: sections.applications, place: name })}>
                    {sections.applications}
                  </a>
                </li>
                <li>
                  <a href={policiesHref} aria-label={fill(words.of, { title: sections.policies, place: name })}>
                    {sections.policies}
                  </a>
                </li>
              </ul>
            </div>
          )}
        </List>
        {hasMore && <p class="hint">{more}</p>}
      </Block>
    </OverviewLayout>
  );
}
