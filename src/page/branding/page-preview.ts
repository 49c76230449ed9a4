import { Injectable } from '@nestjs/common';
import { paths } from '../../org/instance/paths.js';
import { type ImageSlot, LabelService, toDataUrl } from '../../org/policy/label.service.js';
import { PolicyService } from '../../org/policy/policy.service.js';
import { languageFor } from '../catalogue/language-choice.js';
import { assets } from '../page-renderer.js';
import { renderPage } from '../render.js';
import { toBrandSheet } from './brand-sheet.js';
import { Branding } from './branding.js';

const NO_PROOF = '';
const SHEETS = /<link rel="stylesheet"[^>]*>/g;

/** The first page of a sign-in as it will look once the preview of a label policy is activated, in one document. */
@Injectable()
export class PagePreview {
  constructor(
    private readonly branding: Branding,
    private readonly policies: PolicyService,
    private readonly labels: LabelService,
  ) {}

  /** @param ownerId an organization, or the instance */
  async render(ownerId: string, instanceId: string, languageTag: string): Promise<string> {
    const language = languageFor({
      uiLocales: [languageTag],
      acceptLanguage: undefined,
      fallback: await this.branding.defaultLanguage(),
    });
    const { policy: label } = await this.policies.read('labelPreview', ownerId);
    const { name, look, texts } = await this.branding.of(
      ownerId === instanceId ? {} : { orgId: ownerId, brandId: ownerId },
      language,
    );
    const image = async (slot: ImageSlot): Promise<string | undefined> =>
      label[slot] === '' ? undefined : toDataUrl(await this.labels.findImage(label.ownerId, slot, label[slot]));
    const light = (await image('logo')) ?? (await image('logoDark'));
    const dark = (await image('logoDark')) ?? light;
    const places = { light: '/preview/light', dark: '/preview/dark' } as const;
    const page = renderPage(
      { page: 'loginName', form: { action: paths.hub, csrf: NO_PROOF } },
      {
        language,
        brand: name,
        texts,
        stylesheet: paths.stylesheet,
        look: {
          colorScheme: label.themeMode === 'auto' ? 'light dark' : label.themeMode,
          namesProduct: !label.disableWatermark,
          links: look.links,
          logo: light === undefined ? undefined : places,
        },
      },
    );
    // Puts everything into one document: it is shown where nothing may be fetched.
    return page
      .replace(SHEETS, '')
      .replace(
        '</head>',
        () => `<style>${assets.stylesheet.toString('utf8')}${toBrandSheet(label) ?? ''}</style></head>`,
      )
      .replaceAll(`"${places.light}"`, () => `"${light}"`)
      .replaceAll(`"${places.dark}"`, () => `"${dark}"`);
  }
}
