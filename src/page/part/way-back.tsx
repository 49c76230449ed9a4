import type { VNode } from 'preact';
import { paths } from '../../org/instance/paths.js';
import type { InPage } from './context.js';
import { Filled } from './filled.js';
import { Way } from './way.js';

/** The way back to the application, which is told that the user declined (OIDC Core §3.1.2.6, `access_denied`). */
export function WayBack({ context, texts }: InPage<object>): VNode | null {
  if (context.request === undefined || context.backTo === undefined) return null;
  return (
    <p class="way-back">
      <Way context={context} to={paths.decline}>
        {/* One box: between two of them, the blank before the name would be lost. */}
        <span>
          <Filled text={texts.frame.cancel} values={{ client: context.backTo }} />
        </span>
      </Way>
    </p>
  );
}
