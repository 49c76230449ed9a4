import { blackOrWhite, contrast, mix, READABLE } from '../foundation/color/contrast.js';

/** The colours of a mail in light and dark mode. All text has sufficient contrast: WCAG 2.2 §1.4.3. */
export interface MailColors {
  readonly ground: string;
  readonly surface: string;
  readonly line: string;
  readonly text: string;
  readonly accent: string;
  readonly onAccent: string;
}

/** The organization's choice; empty colours are chosen by us. */
export interface ChosenColors {
  readonly background: string;
  readonly font: string;
  readonly primary: string;
}

const LIGHT = { ground: '#f2f4f7', surface: '#ffffff', line: '#dce0e7', text: '#14181f', accent: '#1d4a94' } as const;
const DARK = { ground: '#0d1015', surface: '#161a21', line: '#2b323d', text: '#e9ecf1', accent: '#a3c1fa' } as const;

/** The chosen colours if they are readable; otherwise the text gets a colour that is. */
export function toMailColors(chosen: ChosenColors, mode: 'light' | 'dark'): MailColors {
  const ours = mode === 'light' ? LIGHT : DARK;
  const ground = chosen.background || ours.ground;
  const wanted = chosen.font || ours.text;
  // Text chosen for the background may be unreadable on our card: then the card gets the background's colour.
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
