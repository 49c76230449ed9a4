import { blackOrWhite, contrast, mix, READABLE } from '../color/contrast.js';

/** The colours of a mail by light or by dark. Everything that is read stands out from what it stands on: WCAG 2.2 §1.4.3. */
export interface MailColors {
  readonly ground: string;
  readonly surface: string;
  readonly line: string;
  readonly text: string;
  readonly accent: string;
  readonly onAccent: string;
}

/** What an organization has chosen; an empty colour leaves the choice to us. */
export interface ChosenColors {
  readonly background: string;
  readonly font: string;
  readonly primary: string;
}

const LIGHT = { ground: '#f2f4f7', surface: '#ffffff', line: '#dce0e7', text: '#14181f', accent: '#1d4a94' } as const;
const DARK = { ground: '#0d1015', surface: '#161a21', line: '#2b323d', text: '#e9ecf1', accent: '#a3c1fa' } as const;

/** The chosen colours as far as they can be read: text that would not stand out gets a colour that does. */
export function toMailColors(chosen: ChosenColors, mode: 'light' | 'dark'): MailColors {
  const ours = mode === 'light' ? LIGHT : DARK;
  const ground = chosen.background || ours.ground;
  const wanted = chosen.font || ours.text;
  // Text that is meant for the background may not be readable on our card: then the card takes the background's colour.
  const card = mode === 'dark' && ground !== ours.ground ? mix('#ffffff', ground, 0.95) : ours.surface;
  const surface = contrast(wanted, card) >= READABLE ? card : ground;
  const text = contrast(wanted, surface) >= READABLE ? wanted : blackOrWhite(surface);
  const accent = chosen.primary || ours.accent;
  return {
    ground,
    surface,
    line: surface === ground ? ground : ours.line,
    text,
    accent,
    onAccent: blackOrWhite(accent),
  };
}
