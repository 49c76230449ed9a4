import type { ComponentChildren, VNode } from 'preact';
import { directionOf } from '../../foundation/language/language-tag.js';
import { paths } from '../../org/instance/paths.js';
import { fill } from '../catalogue/catalogue.js';
import { Brand } from './brand.js';
import type { InPage } from './context.js';
import { Foot } from './foot.js';
import { Slot } from './slot.js';
import { WaysForm } from './way.js';
import { WayBack } from './way-back.js';

interface LayoutProps {
  /** The title for the browser's tab and for screen readers, which read it first. */
  readonly title: string;
  /** The title then says so: after a reload it is the first thing that is read out. */
  readonly hasErrors?: boolean | undefined;
  /** Whether the page is wide, as it has more than one form. */
  readonly isWide?: boolean | undefined;
  readonly children: ComponentChildren;
}

/** The frame of every page: nothing inline, nothing from elsewhere (the Content-Security-Policy allows none). */
export function Layout({ context, texts, title, hasErrors, isWide, children }: InPage<LayoutProps>): VNode {
  const pattern = hasErrors === true ? texts.frame.titleWithError : texts.frame.title;
  return (
    <html lang={context.language} dir={directionOf(context.language)}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content={context.look.colorScheme} />
        <meta name="robots" content="noindex" />
        <title>{fill(pattern, { title, brand: context.brand })}</title>
        {context.look.icon === undefined ? (
          <link rel="icon" href={paths.icon} type="image/svg+xml" />
        ) : (
          <link rel="icon" href={context.look.icon} />
        )}
        <link rel="stylesheet" href={context.stylesheet} />
        {context.look.stylesheet !== undefined && <link rel="stylesheet" href={context.look.stylesheet} />}
        {context.own?.stylesheets.map((path) => (
          <link rel="stylesheet" href={path} />
        ))}
        {context.scripts?.map((script) => (
          <script src={script} defer></script>
        ))}
      </head>
      <body>
        <div class={isWide === true ? 'card card-wide' : 'card'}>
          <Brand context={context} />
          <Slot context={context} place="above" />
          <main>{children}</main>
          <WayBack context={context} texts={texts} />
          <WaysForm context={context} />
          <Slot context={context} place="below" />
        </div>
        <Foot context={context} texts={texts} />
      </body>
    </html>
  );
}
