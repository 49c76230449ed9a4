import type { VNode } from 'preact';
import { fill } from '../catalogue/catalogue.js';
import type { InPage } from '../part/context.js';
import { Badge, Block, InDocs, List, Literal, ThingFacts } from './block.js';
import { amount, Day } from './day.js';
import type { ApplicationLine, OverviewApplicationsProps, ProviderLine } from './overview-facts.js';
import { OverviewLayout } from './overview-layout.js';
import { Search } from './search.js';

/** What people sign in to, and with whose accounts. */
export function OverviewApplicationsPage({
  context,
  texts,
  frame,
  ...props
}: InPage<OverviewApplicationsProps>): VNode {
  const words = texts.overviewApplications;
  const { search, issuer, applications, providers } = props;
  const more = <p class="hint">{texts.overviewPage.more}</p>;
  return (
    <OverviewLayout context={context} texts={texts} frame={frame} section="applications">
      {search !== undefined && <Search search={search} texts={texts} label={words.label} />}
      <div class="panel">
        <ThingFacts facts={[[words.issuer, <Literal>{issuer}</Literal>]]} />
        <p class="hint">{words.issuerHint}</p>
      </div>
      {applications !== undefined && (
        <Block title={words.applications} texts={texts}>
          <List lines={applications.lines} none={words.noApplications}>
            {(line) => <Application context={context} texts={texts} line={line} />}
          </List>
          {applications.hasMore && more}
        </Block>
      )}
      {providers !== undefined && (
        <Block title={words.providers} texts={texts}>
          <List lines={providers.lines} none={words.noProviders}>
            {(line) => <Provider context={context} texts={texts} line={line} />}
          </List>
          {providers.hasMore && more}
        </Block>
      )}
    </OverviewLayout>
  );
}

function Application({ context, texts, line }: InPage<{ readonly line: ApplicationLine }>): VNode {
  const words = texts.overviewApplications;
  return (
    <div>
      <p class="tagged">
        <strong>
          <bdi>{line.name}</bdi>
        </strong>
        <Badge isBad={!line.isActive}>{line.isActive ? words.active : words.inactive}</Badge>
        <InDocs link={line.docs} texts={texts} />
      </p>
      <ThingFacts
        facts={[
          [words.project, line.projectName],
          [words.organization, line.orgName],
          [words.clientId, <Literal>{line.clientId}</Literal>],
          [words.lastUsed, <LastUse context={context} texts={texts} day={line.lastUsedOn} />],
        ]}
      />
    </div>
  );
}

function Provider({ context, texts, line }: InPage<{ readonly line: ProviderLine }>): VNode {
  const words = texts.overviewApplications;
  const { week, test, testHref } = line;
  return (
    <div>
      <p class="tagged">
        <strong>
          <bdi>{line.name}</bdi>
        </strong>
        <Badge isBad={!line.isActive}>{line.isActive ? words.active : words.inactive}</Badge>
        <InDocs link={line.docs} texts={texts} />
      </p>
      <ThingFacts
        facts={[
          [words.kind, line.kind],
          [words.issuer, line.issuer === '' ? undefined : <Literal>{line.issuer}</Literal>],
          [words.clientId, line.clientId === '' ? undefined : <Literal>{line.clientId}</Literal>],
          [words.organization, line.orgName === '' ? texts.overviewPage.instance : line.orgName],
          [
            words.week,
            <span class="dotted">
              <span>{fill(words.signIns, { count: amount(context, week.signIns) })}</span>
              <span>{fill(words.failed, { count: amount(context, week.failed) })}</span>
            </span>,
          ],
          [words.lastUsed, <LastUse context={context} texts={texts} day={line.lastUsedOn} />],
          [
            words.lastTest,
            test && (
              <span class="tagged">
                <Day context={context} day={test.day} />
                <Badge isBad={!test.isGood}>{test.isGood ? words.works : words.broken}</Badge>
              </span>
            ),
          ],
        ]}
      />
      {testHref !== undefined && (
        <p class="thing-ways">
          <a href={testHref}>{fill(words.test, { provider: line.name })}</a>
        </p>
      )}
    </div>
  );
}

function LastUse({ context, texts, day }: InPage<{ readonly day: string | undefined }>): VNode {
  return day === undefined ? <>{texts.overviewApplications.notUsed}</> : <Day context={context} day={day} />;
}
