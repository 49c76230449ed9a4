import type { Page, PageElement } from '../browser.js';

const LABELLED = 'input:not([type="hidden"]), select, textarea';
const FOREIGN = /^(?:https?:)?\/\//;

/**
 * What is wrong with the markup of a page, without looking at it: ids, labels, language, scripts and addresses of
 * others.
 */
export function markupFaults(page: Page): string[] {
  const ids = page.all('[id]').map(({ id }) => id);
  const repeated = [...new Set(ids.filter((id, index) => ids.indexOf(id) !== index))];
  const html = page.find('html');
  return [
    ...repeated.map((id) => `the id ${id} is there several times`),
    ...(html?.getAttribute('lang') ? [] : ['it does not say in which language it is']),
    ...(page.all('h1').length === 1 ? [] : [`it has ${page.all('h1').length} headings of the first level`]),
    ...page
      .all(LABELLED)
      .filter((field) => !isLabelled(page, field))
      .map((field) => `the field ${field.getAttribute('name') ?? field.id} has no label`),
    ...page
      .all('button')
      .filter(({ text, attributes }) => text.trim() === '' && !attributes['aria-label'])
      .map(() => 'a button says nothing'),
    ...page
      .all('img')
      .filter((image) => !image.hasAttribute('alt'))
      .map(() => 'a picture has no alternative text'),
    ...page
      .all('script:not([src]), style, [style]')
      .map(({ tagName }) => `it has a ${tagName.toLowerCase()} of its own, which the policy forbids`),
    ...page.all('*').flatMap(({ attributes }) =>
      Object.keys(attributes)
        .filter((name) => /^on/i.test(name))
        .map((name) => `it has the handler ${name}`),
    ),
    ...page
      .all('img, script, link, iframe')
      .map(({ attributes }) => attributes['src'] ?? attributes['href'] ?? '')
      .filter((address) => FOREIGN.test(address))
      .map((address) => `it loads ${address}`),
    ...page.forms
      .filter(({ method, fields }) => method === 'POST' && !('csrf' in fields))
      .map(({ action }) => `the form to ${action} has no token`),
  ];
}

function isLabelled(page: Page, field: PageElement): boolean {
  if (field.getAttribute('aria-label') || field.getAttribute('aria-labelledby') || field.closest('label')) return true;
  return field.id !== '' && page.find(`label[for="${field.id}"]`) !== null;
}
