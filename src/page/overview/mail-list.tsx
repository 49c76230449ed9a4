import type { VNode } from 'preact';
import type { InPage } from '../part/context.js';
import { Moment } from '../part/moment.js';
import { Badge, English, InDocs, List, ThingFacts } from './block.js';
import type { MailLine, OverviewFrame } from './overview-facts.js';

interface MailsProps {
  readonly frame: OverviewFrame;
  readonly lines: readonly MailLine[];
  readonly none: string;
}

/** E-mails, and what became of them. */
export function MailList({ context, texts, frame, lines, none }: InPage<MailsProps>): VNode {
  const words = texts.overviewMails;
  return (
    <List lines={lines} none={none}>
      {({ kind, state, at, recipient, reason, resendHref, docs }) => (
        <div>
          <p class="tagged">
            <strong>{words.kinds[kind]}</strong>
            <Badge isBad={state === 'dead'}>{words.states[state]}</Badge>
            <InDocs link={docs} texts={texts} />
          </p>
          <p class="hint">
            <Moment context={context} at={at} to="minute" timeZone={frame.timeZone} />
          </p>
          <ThingFacts
            facts={[
              [words.recipient, recipient],
              [words.reason, reason === '' ? undefined : <English>{reason}</English>],
            ]}
          />
          {resendHref !== undefined && (
            <p class="thing-ways">
              <a href={resendHref}>{words.resend}</a>
            </p>
          )}
        </div>
      )}
    </List>
  );
}
