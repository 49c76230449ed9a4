import type { VNode } from 'preact';
import type { InPage } from '../part/context.js';
import { Moment } from '../part/moment.js';
import { English, InDocs, List } from './block.js';
import type { ChangeLine, OverviewFrame } from './overview-facts.js';

interface ChangesProps {
  readonly frame: OverviewFrame;
  readonly lines: readonly ChangeLine[];
}

/** What was changed, as the journal says it. */
export function ChangeList({ context, texts, frame, lines }: InPage<ChangesProps>): VNode {
  return (
    <List lines={lines} none={texts.overviewHome.noChanges}>
      {({ at, sentence, orgName, docs }) => (
        <div>
          <p>
            <English>{sentence}</English>
          </p>
          <p class="hint tagged">
            <Moment context={context} at={at} to="minute" timeZone={frame.timeZone} />
            {orgName !== undefined && <bdi>{orgName}</bdi>}
            {docs !== undefined && <InDocs link={docs} texts={texts} />}
          </p>
        </div>
      )}
    </List>
  );
}
