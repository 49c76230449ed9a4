import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TextFolder } from './built-in-texts.js';

describe('a folder of texts', () => {
  let folder: string;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'gatehouse-texts-'));
    writeFileSync(join(folder, 'de.json'), '{ "title": "Anmelden" }');
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const texts = (): TextFolder<{ title: string }> => new TextFolder(pathToFileURL(`${folder}/`));

  it('reads the file of a language once, and no other', () => {
    const known = texts();
    expect(known.in('de')).toEqual({ title: 'Anmelden' });
    writeFileSync(join(folder, 'de.json'), '{ "title": "Einloggen" }');
    expect(known.in('de')).toEqual({ title: 'Anmelden' });
  });

  it('names the file that is missing', () => {
    expect(() => texts().in('fr')).toThrow('fr.json');
  });
});
