import { describe, expect, it } from '@jest/globals';
import { contrast } from '../../foundation/color/contrast.js';
import { type ChosenColors, isOurs, type Mode, toPageColors } from './page-colors.js';

const none: ChosenColors = { background: '', font: '', primary: '', warn: '' };

/** Text, and what it stands on. */
const PAIRS = [
  ['text', 'surface'],
  ['text-quiet', 'surface'],
  ['text-quiet', 'ground'],
  ['accent', 'surface'],
  ['accent', 'ground'],
  ['accent-strong', 'surface'],
  ['accent-strong', 'ground'],
  ['on-accent', 'button'],
  ['on-accent', 'button-strong'],
  ['danger', 'surface'],
  ['danger', 'danger-soft'],
  ['success', 'surface'],
  ['text', 'accent-soft'],
  ['text-quiet', 'accent-soft'],
  ['accent', 'accent-soft'],
  ['success', 'accent-soft'],
] as const;

const SAMPLES = [
  '#000000',
  '#ffffff',
  '#ffcc00',
  '#777777',
  '#ff0000',
  '#00ff00',
  '#0000ff',
  '#e91e63',
  '#abc',
  '#2f2f2f',
  '#fafafa',
];

describe('The colours of pages', () => {
  it.each<Mode>(['light', 'dark'])('can be read whatever an organization chooses, by %s', (mode) => {
    const worst: string[] = [];
    for (const background of SAMPLES) {
      for (const font of SAMPLES) {
        for (const primary of SAMPLES) {
          const colors = toPageColors({ background, font, primary, warn: primary }, mode);
          for (const [text, ground] of PAIRS) {
            if (contrast(colors[text]!, colors[ground]!) < 4.5)
              worst.push(`${text} on ${ground}: ${background} ${font} ${primary}`);
          }
          if (contrast(colors['edge']!, colors['surface']!) < 3) worst.push(`edge: ${background} ${font}`);
        }
      }
    }
    expect(worst.slice(0, 5)).toEqual([]);
  });

  it('are the chosen ones where these can be read', () => {
    const colors = toPageColors(
      { background: '#fff7ed', font: '#1c1917', primary: '#c2410c', warn: '#991b1b' },
      'light',
    );
    expect(colors).toMatchObject({
      ground: '#fff7ed',
      text: '#1c1917',
      accent: '#c2410c',
      button: '#c2410c',
      danger: '#991b1b',
      surface: '#ffffff',
    });
  });

  it('take the card along where its text is meant for the background', () => {
    expect(toPageColors({ ...none, background: '#101010', font: '#fafafa' }, 'light')).toMatchObject({
      ground: '#101010',
      surface: '#101010',
      text: '#fafafa',
    });
  });

  it('tint the card in dark mode, if ours would stand out from a background of another hue', () => {
    expect(toPageColors({ ...none, background: '#1c1208' }, 'dark')).toMatchObject({
      ground: '#1c1208',
      surface: '#271e14',
    });
  });

  it('leave to us what is empty or no colour', () => {
    expect(isOurs(none, 'light')).toBe(true);
    expect(isOurs({ ...none, primary: 'url(//evil.test)' }, 'dark')).toBe(true);
    expect(isOurs({ ...none, primary: '#123456' }, 'dark')).toBe(false);
    expect(JSON.stringify(toPageColors({ ...none, primary: '}body{display:none' }, 'light'))).not.toContain('body');
  });
});
