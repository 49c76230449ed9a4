import {
  blackOrWhite,
  contrast,
  isColor,
  mix,
  READABLE,
  standingOut,
  VISIBLE,
} from '../../foundation/color/contrast.js';

/** The chosen colours; empty or invalid ones are left to us. */
export interface ChosenColors {
  readonly background: string;
  readonly font: string;
  readonly primary: string;
  readonly warn: string;
}

/** The default colours of the pages (`page/style/login.css`). */
const OURS = {
  light: {
    background: '#f2f4f7',
    font: '#14181f',
    primary: '#1d4a94',
    warn: '#b3261e',
    surface: '#ffffff',
    success: '#1a7443',
  },
  dark: {
    background: '#0d1015',
    font: '#e9ecf1',
    primary: '#a3c1fa',
    warn: '#ffb4ab',
    surface: '#161a21',
    success: '#7fd6a3',
  },
} as const;

export type Mode = keyof typeof OURS;

export function isOurs(chosen: ChosenColors, mode: Mode): boolean {
  return (['background', 'font', 'primary', 'warn'] as const).every(
    (name) => !isColor(chosen[name]) || chosen[name].toLowerCase() === OURS[mode][name],
  );
}

/** Design tokens for the chosen colours, adjusted only as far as legibility requires (WCAG 2.2, AA). */
export function toPageColors(chosen: ChosenColors, mode: Mode): Readonly<Record<string, string>> {
  const ours = OURS[mode];
  const pick = (name: keyof ChosenColors): string => (isColor(chosen[name]) ? chosen[name].toLowerCase() : ours[name]);
  const ground = pick('background');
  const wanted = pick('font');
  const card = mode === 'dark' && ground !== ours.background ? mix('#ffffff', ground, 0.95) : ours.surface;
  // Text chosen for the background may be unreadable on our card: then the card gets the background's colour.
  const surface = [card, ground].every((each) => contrast(wanted, each) >= READABLE) ? card : ground;
  const text = contrast(wanted, surface) >= READABLE ? wanted : blackOrWhite(surface);
  const both = [surface, ground];
  const primary = pick('primary');
  const accent = standingOut(primary, both, text);
  const quiet = standingOut(mix(text, surface, 0.28), both, text);
  const danger = standingOut(pick('warn'), [surface], text);
  const success = standingOut(ours.success, [surface], text);
  // A button with the colour of the card would be invisible.
  const button = contrast(primary, surface) >= VISIBLE ? primary : accent;
  const onButton = blackOrWhite(button);
  return {
    ground,
    surface,
    text,
    'text-quiet': quiet,
    line: mix(text, surface, 0.86),
    edge: standingOut(mix(text, surface, 0.5), [surface], text, VISIBLE),
    accent,
    'accent-strong': standingOut(mix(accent, text, 0.25), both, text),
    'accent-soft': tint(accent, surface, [accent, text, quiet, success]),
    button,
    'button-strong': mix(button, onButton === '#ffffff' ? '#000000' : '#ffffff', 0.2),
    'on-accent': onButton,
    danger,
    'danger-soft': tint(danger, surface, [danger]),
    success,
  };
}

/** A tint of a colour, if everything on it remains readable; otherwise none. */
function tint(color: string, surface: string, onIt: readonly string[]): string {
  const tinted = mix(color, surface, 0.91);
  return onIt.every((each) => contrast(each, tinted) >= READABLE) ? tinted : surface;
}
