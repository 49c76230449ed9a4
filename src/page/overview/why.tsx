import type { VNode } from 'preact';
import type { InPage } from '../part/context.js';
import { Field } from '../part/field.js';
import { Moment } from '../part/moment.js';
import { Badge, Block, English, InDocs, List, ThingFacts } from './block.js';
import type { OverviewFrame, WhyAnswer, WhyLine, WhyQuestion } from './overview-facts.js';

/** The parameter with the application that is asked about. */
export const APPLICATION = 'application';

const LOOKS: Readonly<Record<WhyAnswer['canSignIn'], string>> = {
  yes: 'notice notice-done',
  yes_after_steps: 'notice notice-info',
  no: 'notice notice-error',
};

interface WhyProps {
  readonly frame: OverviewFrame;
  readonly answer: WhyAnswer;
  readonly ask: WhyQuestion;
}

/** Whether somebody can sign in, and why: short words in the language of the page, whole sentences in English. */
export function Why({ context, texts, frame, answer, ask }: InPage<WhyProps>): VNode {
  const words = texts.overviewWhy;
  return (
    <>
      <Block title={words.title} texts={texts} docs={answer.docs}>
        {ask.isUnknown ? null : <Verdict context={context} texts={texts} frame={frame} answer={answer} />}
        <Ask context={context} texts={texts} ask={ask} />
      </Block>
      <Block title={words.failed} texts={texts}>
        <List lines={answer.failures} none={words.noFailures}>
          {({ at, reason, sentence }) => (
            <div>
              {reason !== undefined && (
                <p>
                  <strong>{words.failures[reason]}</strong>
                </p>
              )}
              <p>
                <English>{sentence}</English>
              </p>
              <p class="hint">
                <Moment context={context} at={at} to="minute" timeZone={frame.timeZone} />
              </p>
            </div>
          )}
        </List>
      </Block>
    </>
  );
}

/** Not shown where the question named an application that is not known: it would be the answer to another one. */
function Verdict({ context, texts, frame, answer }: InPage<Pick<WhyProps, 'frame' | 'answer'>>): VNode {
  const words = texts.overviewWhy;
  const until = (at: Date | undefined) =>
    at === undefined ? undefined : <Moment context={context} at={at} to="minute" timeZone={frame.timeZone} />;
  return (
    <>
      <div class={LOOKS[answer.canSignIn]}>
        <p class="notice-title">{words.answers[answer.canSignIn]}</p>
        <p>
          <English>{answer.summary}</English>
        </p>
      </div>
      {answer.chain.length > 0 && (
        <>
          <h3>{words.steps}</h3>
          <List lines={answer.chain} none={texts.overviewPage.none} isOrdered>
            {(line) => <Link context={context} texts={texts} line={line} until={until(line.until)} />}
          </List>
        </>
      )}
      {answer.limits.length > 0 && (
        <>
          <h3>{words.limits}</h3>
          <List lines={answer.limits} none={texts.overviewPage.none}>
            {({ sentence, isReached, ...limit }) => (
              <div>
                <p class="tagged">
                  <English>{sentence}</English>
                  {isReached && <Badge isBad>{words.reached}</Badge>}
                </p>
                <ThingFacts facts={[[texts.overviewPage.until, until(limit.until)]]} />
              </div>
            )}
          </List>
        </>
      )}
    </>
  );
}

interface LinkProps {
  readonly line: WhyLine;
  readonly until: VNode | undefined;
}

function Link({ texts, line, until }: InPage<LinkProps>): VNode {
  const words = texts.overviewWhy;
  return (
    <div>
      <p class="tagged">
        <strong>{words.codes[line.code]}</strong>
        <Badge isBad={line.effect === 'refuses'}>{words.effects[line.effect]}</Badge>
      </p>
      <p>
        <English>{line.sentence}</English>
      </p>
      <ThingFacts facts={[[texts.overviewPage.until, until]]} />
      {line.mends.length > 0 && (
        <p class="hint tagged">
          {words.mend}
          {line.mends.map((mend) => (
            <InDocs link={mend} texts={texts} />
          ))}
        </p>
      )}
    </div>
  );
}

function Ask({ texts, ask }: InPage<{ readonly ask: WhyQuestion }>): VNode {
  const words = texts.overviewWhy;
  return (
    <form class={ask.isUnknown ? 'form' : 'form search'} method="get" action={ask.action}>
      <Field
        kind="loginName"
        name={APPLICATION}
        label={words.application}
        hint={words.applicationHint}
        value={ask.application}
        error={ask.isUnknown ? words.unknown : undefined}
        autocomplete="off"
        optional
        focus={false}
      />
      <button type="submit" class="button button-quiet">
        {words.ask}
      </button>
    </form>
  );
}
