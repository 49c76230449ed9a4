import type { VNode } from 'preact';
import { directionOf } from '../foundation/language/language-tag.js';
import type { MessageText, TemplateValues } from '../text/message-catalogue/message-text.js';
import { cutTemplate, valueOf } from '../text/template.js';
import type { MailColors } from './mail-colors.js';

interface MailBodyProps {
  readonly language: string;
  readonly subject: string;
  readonly text: MessageText;
  readonly values: TemplateValues;
  /** Shown large and by itself; empty if there is none. */
  readonly code: string;
  /** Target of the button; without it there is none. */
  readonly url: string | undefined;
  readonly name: string;
  /** An image within the mail: `cid:` or `data:`. */
  readonly logoSrc: string | undefined;
  /** Inline styles, for programs that ignore style sheets. */
  readonly colors: MailColors;
  /** The colours for readers in dark mode. */
  readonly darkColors: MailColors | undefined;
}

const FONT = "-apple-system, 'Segoe UI', Roboto, 'Noto Sans', Arial, sans-serif";
/** Names may be long words: a line breaks within them rather than widen the mail. */
const TEXT = { fontFamily: FONT, fontSize: '16px', lineHeight: '24px', wordBreak: 'break-word' } as const;
/** The style of a code, so that one tap selects all of it. */
const CODE = {
  margin: '0',
  padding: '12px',
  borderRadius: '8px',
  fontFamily: "ui-monospace, 'SF Mono', Consolas, 'Noto Sans Mono', monospace",
  fontSize: '28px',
  lineHeight: '36px',
  letterSpacing: '6px',
  textAlign: 'center',
  userSelect: 'all',
} as const;
const SMALL = { ...TEXT, fontSize: '13px', lineHeight: '20px' } as const;

/**
 * A mail as tables with inline styles, which all mail programs support. It loads nothing, and takes nothing but plain
 * text, which is escaped when it is rendered. The language determines the direction of the layout, on the outer table
 * as well because some mail programs drop `html`; each text determines its own (`dir=auto`).
 */
export function MailBody(props: MailBodyProps): VNode {
  const { language, subject, text, values, code, url, colors, darkColors } = props;
  return (
    <html lang={language} dir={directionOf(language)}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content={darkColors ? 'light dark' : 'only light'} />
        <meta name="supported-color-schemes" content={darkColors ? 'light dark' : 'light'} />
        <title>{subject}</title>
        {darkColors && <style>{darkRules(darkColors)}</style>}
      </head>
      <body class="ground" style={{ margin: '0', padding: '0', backgroundColor: colors.ground }}>
        <div style={{ display: 'none', maxHeight: '0', overflow: 'hidden' }}>
          <Filled text={text.preHeader} values={values} />
        </div>
        <table
          role="presentation"
          width="100%"
          cellPadding="0"
          cellSpacing="0"
          dir={directionOf(language)}
          class="ground"
          style={{ backgroundColor: colors.ground }}
        >
          <tr>
            <td align="center" style={{ padding: '24px 12px' }}>
              <table
                role="presentation"
                width="100%"
                cellPadding="0"
                cellSpacing="0"
                class="card"
                style={{
                  maxWidth: '560px',
                  backgroundColor: colors.surface,
                  border: `1px solid ${colors.line}`,
                  borderRadius: '10px',
                }}
              >
                <Row padding="32px 32px 0">
                  <Brand {...props} />
                </Row>
                <Row padding="24px 32px 0">
                  <h1
                    class="text"
                    dir="auto"
                    style={{ ...TEXT, margin: '0', fontSize: '22px', lineHeight: '28px', color: colors.text }}
                  >
                    <Filled text={text.title} values={values} />
                  </h1>
                </Row>
                <Row padding="16px 32px 0">
                  <Lines text={text.greeting} values={values} colors={colors} />
                </Row>
                <Row padding="0 32px 0">
                  <Lines text={text.text} values={values} colors={colors} />
                </Row>
                {code !== '' && (
                  <Row padding="16px 32px 0">
                    <p
                      class="text code"
                      dir="auto"
                      style={{ ...CODE, border: `1px solid ${colors.line}`, color: colors.text }}
                    >
                      {code}
                    </p>
                  </Row>
                )}
                {url !== undefined && text.buttonText !== '' && (
                  <Row padding="24px 32px 0">
                    <Button {...props} url={url} />
                  </Row>
                )}
                {url !== undefined && (
                  <Row padding="16px 32px 0">
                    <a
                      href={url}
                      dir="ltr"
                      class="text"
                      style={{ ...SMALL, color: colors.text, wordBreak: 'break-all' }}
                    >
                      {url}
                    </a>
                  </Row>
                )}
                <Row padding="24px 32px 32px">
                  <p class="text" dir="auto" style={{ ...SMALL, margin: '0', color: colors.text }}>
                    <Filled text={text.footerText} values={values} />
                  </p>
                </Row>
              </table>
            </td>
          </tr>
        </table>
      </body>
    </html>
  );
}

function Row({ padding, children }: { readonly padding: string; readonly children: VNode }): VNode {
  return (
    <tr>
      <td style={{ padding }}>{children}</td>
    </tr>
  );
}

function Brand({ name, logoSrc, colors }: MailBodyProps): VNode {
  if (logoSrc !== undefined)
    return (
      <img src={logoSrc} alt={name} style={{ display: 'block', maxHeight: '48px', maxWidth: '100%', border: '0' }} />
    );
  return (
    <p class="text" style={{ ...TEXT, margin: '0', fontWeight: '600', color: colors.text }}>
      <bdi>{name}</bdi>
    </p>
  );
}

function Button({ text, values, url, colors }: MailBodyProps & { readonly url: string }): VNode {
  return (
    <table role="presentation" cellPadding="0" cellSpacing="0">
      <tr>
        <td class="button" style={{ backgroundColor: colors.accent, borderRadius: '8px' }}>
          <a
            href={url}
            dir="auto"
            class="button-text"
            style={{
              ...TEXT,
              display: 'inline-block',
              padding: '12px 24px',
              fontWeight: '600',
              color: colors.onAccent,
              textDecoration: 'none',
            }}
          >
            <Filled text={text.buttonText} values={values} />
          </a>
        </td>
      </tr>
    </table>
  );
}

/** A paragraph for each line. */
function Lines({
  text,
  values,
  colors,
}: {
  readonly text: string;
  readonly values: TemplateValues;
  readonly colors: MailColors;
}): VNode {
  const lines = text.split(/\r?\n/u).filter((line) => line.trim() !== '');
  return (
    <>
      {lines.map((line) => (
        <p class="text" dir="auto" style={{ ...TEXT, margin: '0 0 8px', color: colors.text }}>
          <Filled text={line} values={values} />
        </p>
      ))}
    </>
  );
}

/**
 * Values are isolated, so that a right-to-left name does not reorder the sentence; adjacent first and last names count
 * as one.
 */
function Filled({ text, values }: { readonly text: string; readonly values: TemplateValues }): VNode {
  const parts: Array<{ text: string; isValue: boolean }> = [];
  for (const piece of cutTemplate(text)) {
    const [before, between] = parts.slice(-2);
    if ('literal' in piece) parts.push({ text: piece.literal, isValue: false });
    else if (before?.isValue === true && (between?.text === ' ' || between?.text === ''))
      parts.splice(-2, 2, { text: `${before.text}${between.text}${valueOf(piece.field, values)}`, isValue: true });
    else parts.push({ text: valueOf(piece.field, values), isValue: true });
  }
  return <>{parts.map((part) => (part.isValue ? <bdi>{part.text}</bdi> : part.text))}</>;
}

/** Colours were validated when they were set: they cannot end a declaration. */
function darkRules({ ground, surface, line, text, accent, onAccent }: MailColors): string {
  return [
    '@media (prefers-color-scheme: dark) {',
    `.ground { background-color: ${ground} !important; }`,
    `.card { background-color: ${surface} !important; border-color: ${line} !important; }`,
    `.code { border-color: ${line} !important; }`,
    `.text { color: ${text} !important; }`,
    `.button { background-color: ${accent} !important; }`,
    `.button-text { color: ${onAccent} !important; }`,
    '}',
  ].join('\n');
}
