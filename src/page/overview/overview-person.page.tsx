import type { VNode } from 'preact';
import { fill } from '../catalogue/catalogue.js';
import type { InPage } from '../part/context.js';
import { Moment } from '../part/moment.js';
import { Badge, Block, InDocs, List, Literal, ThingFacts } from './block.js';
import { ChangeList } from './change-list.js';
import { amount } from './day.js';
import { MailList } from './mail-list.js';
import type { OverviewFrame, OverviewPersonProps, SessionLine } from './overview-facts.js';
import { OverviewLayout } from './overview-layout.js';
import { Why } from './why.js';

/** One person: who they are, whether they can sign in, and what may be done about it. */
export function OverviewPersonPage({ context, texts, frame, ...props }: InPage<OverviewPersonProps>): VNode {
  const words = texts.overviewPerson;
  const { title, state, why, factors, sessions, mails, changes, acts } = props;
  return (
    <OverviewLayout
      context={context}
      texts={texts}
      frame={frame}
      section="people"
      title={title}
      heading={<bdi>{title}</bdi>}
      lead={
        <span class="tagged">
          <Badge isBad={state === 'locked' || state === 'inactive'}>{texts.overviewPeople.states[state]}</Badge>
          {props.facts.isServiceUser && <Badge>{texts.overviewPeople.serviceUser}</Badge>}
        </span>
      }
    >
      {why !== undefined && <Why context={context} texts={texts} frame={frame} answer={why.answer} ask={why.ask} />}
      {acts.length > 0 && (
        <Block title={words.acts} texts={texts}>
          <ul class="acts">
            {acts.map(({ act, href }) => (
              <li>
                <a class="button button-quiet" href={href}>
                  {texts.overviewAct.acts[act].button}
                </a>
              </li>
            ))}
          </ul>
        </Block>
      )}
      <PersonFacts context={context} texts={texts} frame={frame} facts={props.facts} />
      {factors !== undefined && (
        <Block title={words.ways} texts={texts}>
          {factors.length === 0 ? (
            <p class="hint">{words.noWays}</p>
          ) : (
            <ul class="ticks">
              {factors.map(({ kind, count }) => (
                <li>{fill(words.factors[kind], { count: amount(context, count) })}</li>
              ))}
            </ul>
          )}
        </Block>
      )}
      {sessions !== undefined && (
        <Block title={words.sessions} texts={texts} docs={sessions.docs}>
          <Sessions context={context} texts={texts} frame={frame} lines={sessions.lines} />
        </Block>
      )}
      {mails !== undefined && (
        <Block title={words.mails} texts={texts} docs={mails.docs}>
          <MailList context={context} texts={texts} frame={frame} lines={mails.lines} none={words.noMails} />
        </Block>
      )}
      {changes !== undefined && (
        <Block title={words.changes} texts={texts} docs={changes.docs}>
          <ChangeList context={context} texts={texts} frame={frame} lines={changes.lines} />
        </Block>
      )}
    </OverviewLayout>
  );
}

interface FactsProps {
  readonly frame: OverviewFrame;
  readonly facts: OverviewPersonProps['facts'];
}

function PersonFacts({ context, texts, frame, facts }: InPage<FactsProps>): VNode {
  const words = texts.overviewPerson;
  const email = facts.email !== '' && (
    <span class="tagged">
      <bdi>{facts.email}</bdi>
      <Badge isBad={!facts.isEmailVerified}>{facts.isEmailVerified ? words.confirmed : words.unconfirmed}</Badge>
    </span>
  );
  return (
    <Block title={words.details} texts={texts} docs={facts.docs}>
      <div class="panel">
        <ThingFacts
          facts={[
            [
              words.loginNames,
              <ul class="account-scopes">
                {facts.loginNames.map((name) => (
                  <li>
                    <bdi>{name}</bdi>
                  </li>
                ))}
              </ul>,
            ],
            [words.email, email === false ? undefined : email],
            [words.phone, facts.phone === '' ? undefined : <bdi dir="ltr">{facts.phone}</bdi>],
            [
              words.organization,
              facts.orgHref === undefined ? (
                facts.orgName
              ) : (
                <a href={facts.orgHref}>
                  <bdi>{facts.orgName}</bdi>
                </a>
              ),
            ],
            [words.id, <Literal>{facts.id}</Literal>],
            [words.created, <Moment context={context} at={facts.createdAt} to="minute" timeZone={frame.timeZone} />],
          ]}
        />
      </div>
    </Block>
  );
}

interface SessionsProps {
  readonly frame: OverviewFrame;
  readonly lines: readonly SessionLine[];
}

function Sessions({ context, texts, frame, lines }: InPage<SessionsProps>): VNode {
  const words = texts.overviewPerson;
  const means = {
    password: texts.password.label,
    provider: texts.accountDevices.byProvider,
    passkey: texts.accountActivity.passkey,
  };
  return (
    <List lines={lines} none={words.noSessions}>
      {({ at, how, docs }) => (
        <p class="tagged">
          <Moment context={context} at={at} to="minute" timeZone={frame.timeZone} />
          <span>{means[how]}</span>
          <InDocs link={docs} texts={texts} />
        </p>
      )}
    </List>
  );
}
