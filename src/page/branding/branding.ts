import { Injectable } from '@nestjs/common';
import { sha256Base64Url } from '../../foundation/crypto/digest.js';
import { InstanceService } from '../../org/instance/instance.service.js';
import { paths, type ServicePath } from '../../org/instance/paths.js';
import { OrgService } from '../../org/org.service.js';
import type { LabelPolicy } from '../../org/policy/label-policy.entity.js';
import { PolicyService } from '../../org/policy/policy.service.js';
import type { PrivacyPolicy } from '../../org/policy/privacy-policy.entity.js';
import { LoginTextService } from '../../text/login-text.service.js';
import type { CustomLoginTexts } from '../../text/text.entity.js';
import type { LoginLanguage, PageTexts } from '../catalogue/catalogue.js';
import { PageDefaults, type PageOwner } from '../page-settings.js';
import type { PageLinks, PageLook } from '../part/look.js';
import { toBrandSheet } from './brand-sheet.js';
import { withCustomTexts } from './custom-texts.js';

const VERSION_CHARACTERS = 12;

/** The stylesheet of a label, cached as long as the policy itself. */
interface Sheet {
  readonly css: string;
  readonly version: string;
}

/**
 * USE CASE: the branding of pages: name, colours, logo, links and texts, by the policies and texts of an organization.
 */
@Injectable()
export class Branding extends PageDefaults {
  private readonly sheets = new WeakMap<LabelPolicy, Sheet | null>();
  private readonly merged = new WeakMap<CustomLoginTexts, Map<LoginLanguage, PageTexts>>();

  constructor(
    private readonly instances: InstanceService,
    private readonly orgs: OrgService,
    private readonly policies: PolicyService,
    private readonly texts: LoginTextService,
  ) {
    super();
  }

  async defaultLanguage(): Promise<string> {
    return (await this.instances.get()).defaultLanguage;
  }

  /** The name that pages show: that of the organization or, for the id of the instance, of the service. */
  async nameOf(ownerId: string): Promise<string> {
    const instance = await this.instances.get();
    const brand = ownerId === instance.id ? undefined : await this.orgs.findActive(ownerId);
    return brand?.name ?? instance.name;
  }

  async of(
    { orgId, brandId }: PageOwner,
    language: LoginLanguage,
  ): Promise<{ name: string; look: PageLook; texts: PageTexts }> {
    const instance = await this.instances.get();
    const brandOwner = brandId ?? orgId ?? instance.id;
    const textOwner = orgId ?? instance.id;
    const label = await this.policies.effective('label', brandOwner);
    const links = toLinks(await this.policies.effective('privacy', textOwner), language);
    return {
      name: await this.nameOf(brandOwner),
      look: this.toLook(label, links),
      texts: this.merge(await this.texts.findOwn(textOwner, language), language),
    };
  }

  /**
   * The colours of a label as a stylesheet; undefined if they are the default. `isCurrent`: whether it is the one of
   * that version.
   */
  async findSheet(ownerId: string, version: string): Promise<{ css: string; isCurrent: boolean } | undefined> {
    const instance = await this.instances.get();
    if (ownerId !== instance.id && !(await this.orgs.findActive(ownerId))) return undefined;
    const sheet = this.sheetOf(await this.policies.effective('label', ownerId));
    return sheet && { css: sheet.css, isCurrent: sheet.version === version };
  }

  private toLook(label: LabelPolicy, links: PageLinks): PageLook {
    const sheet = this.sheetOf(label);
    const owner = encodeURIComponent(label.ownerId); // Imports keep ids of every form.
    const image = (slot: 'logo' | 'icon', digest: string, path: string): ServicePath | undefined =>
      digest === '' ? undefined : `/assets/${owner}/${path}?v=${digest}`;
    const light = image('logo', label.logo, 'logo') ?? image('logo', label.logoDark, 'logo_dark');
    const dark = image('logo', label.logoDark, 'logo_dark') ?? light;
    return {
      stylesheet: sheet && `${paths.brand}/${owner}/${sheet.version}.css`,
      logo: light && dark && byTheme(label, light, dark),
      icon: image('icon', label.icon, 'icon'),
      colorScheme: label.themeMode === 'auto' ? 'light dark' : label.themeMode,
      namesProduct: !label.disableWatermark,
      links,
    };
  }

  private sheetOf(label: LabelPolicy): Sheet | undefined {
    const known = this.sheets.get(label);
    if (known !== undefined) return known ?? undefined;
    const css = toBrandSheet(label);
    const sheet = css === undefined ? null : { css, version: sha256Base64Url(css).slice(0, VERSION_CHARACTERS) };
    this.sheets.set(label, sheet);
    return sheet ?? undefined;
  }

  private merge(own: CustomLoginTexts, language: LoginLanguage): PageTexts {
    const languages = this.merged.get(own) ?? new Map<LoginLanguage, PageTexts>();
    const known = languages.get(language);
    if (known) return known;
    const texts = withCustomTexts(own, language);
    languages.set(language, texts);
    this.merged.set(own, languages);
    return texts;
  }
}

/** The logo for each theme; if pages have a single theme, so has the logo. */
function byTheme(
  { themeMode }: LabelPolicy,
  light: ServicePath,
  dark: ServicePath,
): { light: ServicePath; dark: ServicePath } {
  if (themeMode === 'auto') return { light, dark };
  const only = themeMode === 'dark' ? dark : light;
  return { light: only, dark: only };
}

function toLinks(policy: PrivacyPolicy, language: LoginLanguage): PageLinks {
  const { tosLink, privacyLink, helpLink, docsLink, customLink, customLinkText, supportEmail } = policy;
  const web = (link: string): string | undefined => {
    const filled = link.replaceAll('{{.Lang}}', language);
    // A stored or imported text may be anything: a script is not a link (LOG-021).
    return /^https?:\/\/[^/\\]/i.test(filled) && URL.canParse(filled) ? filled : undefined;
  };
  const isAddress = /^[^\s@?&]+@[^\s@?&]+$/.test(supportEmail);
  const custom = web(customLink);
  return {
    tos: web(tosLink),
    privacy: web(privacyLink),
    help: web(helpLink),
    docs: web(docsLink),
    custom: custom === undefined ? undefined : { href: custom, text: customLinkText || custom },
    supportEmail: isAddress ? supportEmail : undefined,
  };
}
