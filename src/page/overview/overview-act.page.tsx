import type { VNode } from 'preact';
import { fill } from '../catalogue/catalogue.js';
import type { InPage } from '../part/context.js';
import { Filled } from '../part/filled.js';
import { Form } from '../part/form.js';
import { English, InDocs } from './block.js';
import type { OverviewAct, OverviewActProps } from './overview-facts.js';
import { OverviewLayout } from './overview-layout.js';

/** Those that take something away from somebody. */
const TAKING: readonly OverviewAct[] = ['endSessions', 'deactivate'];

/** Asks before something is done, and says why it could not be done. */
export function OverviewActPage({ context, texts, frame, ...props }: InPage<OverviewActProps>): VNode {
  const { act, thing, target, backHref, docs, refusal } = props;
  const words = texts.overviewAct.acts[act];
  const named = { title: thing };
  return (
    <OverviewLayout
      context={context}
      texts={texts}
      frame={frame}
      title={fill(words.title, named)}
      heading={<Filled text={words.title} values={named} />}
      lead={words.what}
      hasErrors={refusal !== undefined}
    >
      {refusal !== undefined && (
        <div class="notice notice-error" role="alert">
          <p class="notice-title">{texts.overviewAct.refused}</p>
          <p>
            <English>{refusal}</English>
          </p>
        </div>
      )}
      <Form target={target}>
        <button type="submit" id="submit" class={TAKING.includes(act) ? 'button button-danger' : 'button'}>
          {words.button}
        </button>
      </Form>
      <a class="button button-quiet" href={backHref}>
        {texts.consent.cancel}
      </a>
      <p>
        <InDocs link={docs} texts={texts} />
      </p>
    </OverviewLayout>
  );
}
