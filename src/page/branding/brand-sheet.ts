import type { Label } from '../../org/policy/label-policy.entity.js';
import { type ChosenColors, isOurs, type Mode, toPageColors } from './page-colors.js';

type Look = Pick<
  Label,
  | 'primaryColor'
  | 'warnColor'
  | 'backgroundColor'
  | 'fontColor'
  | 'primaryColorDark'
  | 'warnColorDark'
  | 'backgroundColorDark'
  | 'fontColorDark'
  | 'themeMode'
>;

/** The stylesheet after ours that applies the colours of a label; undefined if there is no difference. */
export function toBrandSheet(label: Look): string | undefined {
  const { light, dark } = chosenOf(label);
  const { themeMode } = label;
  if (themeMode !== 'auto')
    return `:root{color-scheme:${themeMode};${declarations(themeMode === 'dark' ? dark : light, themeMode)}}\n`;
  if (isOurs(light, 'light') && isOurs(dark, 'dark')) return undefined;
  return `:root{${declarations(light, 'light')}}\n@media (prefers-color-scheme:dark){:root{${declarations(dark, 'dark')}}}\n`;
}

function chosenOf(label: Look): Readonly<Record<Mode, ChosenColors>> {
  return {
    light: {
      background: label.backgroundColor,
      font: label.fontColor,
      primary: label.primaryColor,
      warn: label.warnColor,
    },
    dark: {
      background: label.backgroundColorDark,
      font: label.fontColorDark,
      primary: label.primaryColorDark,
      warn: label.warnColorDark,
    },
  };
}

function declarations(chosen: ChosenColors, mode: Mode): string {
  return Object.entries(toPageColors(chosen, mode))
    .map(([name, color]) => `--${name}:${color}`)
    .join(';');
}
