import type { VNode } from 'preact';
import { fill } from '../catalogue/catalogue.js';
import type { InPage } from '../part/context.js';
import { Filled } from '../part/filled.js';
import { Moment } from '../part/moment.js';
import { Badge, Block, InDocs, List, Literal, ThingFacts } from './block.js';
import { amount } from './day.js';
import { MailList } from './mail-list.js';
import type { OverviewServiceProps } from './overview-facts.js';
import { OverviewLayout } from './overview-layout.js';

type Present<Name extends keyof OverviewServiceProps> = InPage<
  Pick<OverviewServiceProps, 'frame'> & { readonly given: NonNullable<OverviewServiceProps[Name]> }
>;

/** What the service does besides signing people in: mails, webhooks, keys, exports and imports. */
export function OverviewServicePage({ context, texts, frame, ...props }: InPage<OverviewServiceProps>): VNode {
  const words = texts.overviewService;
  const page = { context, texts, frame };
  const { version, mails, webhooks, signingKeys, ending, jobs, extensions } = props;
  return (
    <OverviewLayout
      {...page}
      section="service"
      lead={version !== undefined && <Filled text={words.version} values={{ title: version }} />}
    >
      {mails !== undefined && (
        <Block title={words.mails} texts={texts} docs={mails.docs}>
          <MailList {...page} lines={mails.lines} none={words.none} />
          <p class="hint">{fill(words.waiting, { count: amount(context, mails.waiting) })}</p>
        </Block>
      )}
      {webhooks !== undefined && <Webhooks {...page} given={webhooks} />}
      {ending !== undefined && <Ending {...page} given={ending} />}
      {signingKeys !== undefined && <SigningKeys {...page} given={signingKeys} />}
      {jobs !== undefined && <Jobs {...page} given={jobs} />}
      {extensions !== undefined && <Extensions {...page} given={extensions} />}
    </OverviewLayout>
  );
}

function Webhooks({ context, texts, frame, given: { lines, docs } }: Present<'webhooks'>): VNode {
  const words = texts.overviewService;
  const moment = (at: Date | undefined) =>
    at === undefined ? undefined : <Moment context={context} at={at} to="minute" timeZone={frame.timeZone} />;
  const counted = (count: number) => (count === 0 ? undefined : amount(context, count));
  return (
    <Block title={words.webhooks} texts={texts} docs={docs}>
      <List lines={lines} none={words.none}>
        {({ url, orgName, state, failingSince, waiting, oldestAt, dead, ...webhook }) => (
          <div>
            <p class="tagged">
              <Literal>{url}</Literal>
              <Badge isBad={state !== 'active'}>{words.webhookStates[state]}</Badge>
              <InDocs link={webhook.docs} texts={texts} />
            </p>
            <ThingFacts
              facts={[
                [words.organization, orgName],
                [words.failingSince, moment(failingSince)],
                [words.waitingEvents, counted(waiting)],
                [words.oldest, moment(oldestAt)],
                [words.lost, counted(dead)],
              ]}
            />
          </div>
        )}
      </List>
    </Block>
  );
}

function Ending({ context, texts, frame, given }: Present<'ending'>): VNode {
  const words = texts.overviewService;
  return (
    <Block title={words.ending} texts={texts}>
      <List lines={given} none={words.none}>
        {({ what, ownerName, ownerHref, id, endsAt, hasEnded, docs }) => (
          <div>
            <p class="tagged">
              <strong>{words.endingKinds[what]}</strong>
              {hasEnded && <Badge isBad>{words.ended}</Badge>}
              <InDocs link={docs} texts={texts} />
            </p>
            <ThingFacts
              facts={[
                [words.ends, <Moment context={context} at={endsAt} to="minute" timeZone={frame.timeZone} />],
                [
                  words.owner,
                  ownerHref === undefined ? (
                    ownerName
                  ) : (
                    <a href={ownerHref}>
                      <bdi>{ownerName}</bdi>
                    </a>
                  ),
                ],
                [words.id, <Literal>{id}</Literal>],
              ]}
            />
          </div>
        )}
      </List>
    </Block>
  );
}

function SigningKeys({ context, texts, frame, given: { lines, docs } }: Present<'signingKeys'>): VNode {
  const words = texts.overviewService;
  return (
    <Block title={words.signingKeys} texts={texts} docs={docs}>
      <List lines={lines} none={words.none}>
        {({ id, algorithm, state, since, ...key }) => (
          <div>
            <p class="tagged">
              <Literal>{id}</Literal>
              <Badge>{words.keyStates[state]}</Badge>
              {key.docs !== undefined && <InDocs link={key.docs} texts={texts} />}
            </p>
            <ThingFacts
              facts={[
                [words.algorithm, algorithm],
                [words.since, <Moment context={context} at={since} to="minute" timeZone={frame.timeZone} />],
              ]}
            />
          </div>
        )}
      </List>
    </Block>
  );
}

function Jobs({ context, texts, frame, given: { lines, docs } }: Present<'jobs'>): VNode {
  const words = texts.overviewService;
  const counted = (count: number, total: number | undefined) =>
    [count, ...(total === undefined ? [] : [total])].map((number) => amount(context, number)).join(' / ');
  return (
    <Block title={words.jobs} texts={texts} docs={docs}>
      <List lines={lines} none={words.none}>
        {({ kind, state, at, done, total, ...job }) => (
          <div>
            <p class="tagged">
              <strong>{words.jobKinds[kind]}</strong>
              <Badge isBad={state === 'failed'}>{words.jobStates[state]}</Badge>
              <InDocs link={job.docs} texts={texts} />
            </p>
            <ThingFacts
              facts={[
                [words.started, <Moment context={context} at={at} to="minute" timeZone={frame.timeZone} />],
                [words.objects, counted(done, total)],
              ]}
            />
          </div>
        )}
      </List>
    </Block>
  );
}

function Extensions({ context, texts, given: { lines, docs } }: Present<'extensions'>): VNode {
  const words = texts.overviewService;
  return (
    <Block title={words.extensions} texts={texts} docs={docs}>
      <List lines={lines} none={words.none}>
        {({ id, version, failures }) => (
          <p class="tagged">
            <strong>
              <bdi>{id}</bdi>
            </strong>
            <bdi>{version}</bdi>
            {failures > 0 && <Badge isBad>{fill(words.failures, { count: amount(context, failures) })}</Badge>}
          </p>
        )}
      </List>
    </Block>
  );
}
