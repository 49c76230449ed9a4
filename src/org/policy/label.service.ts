import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { sha256 } from '../../foundation/crypto/digest.js';
import { columnsOf } from '../../foundation/database/columns.js';
import { Database, type Transaction } from '../../foundation/database/database.js';
import type { Details } from '../../foundation/database/recorded.js';
import { statement } from '../../foundation/database/statement.js';
import { type EventMark, Journal } from '../../foundation/event/journal.js';
import { HeldOnce } from '../../foundation/http/held-once.js';
import { MAX_IMAGE_BYTES, readImage } from './image-format.js';
import { LabelImage } from './label-image.entity.js';
import type { LabelPreview } from './label-policy.entity.js';
import { LabelPolicy } from './label-policy.entity.js';
import { imageTooLarge, imageUnreadable } from './policy.errors.js';
import { detailsOf, PolicyService, settingsOf } from './policy.service.js';
import type { Settings } from './policy-kind.js';

/** The images of a label. */
export const IMAGE_SLOTS = ['logo', 'logoDark', 'icon', 'iconDark'] as const;
export type ImageSlot = (typeof IMAGE_SLOTS)[number];

export type LabelSettings = Partial<Omit<Settings<'labelPreview'>, ImageSlot>>;

export interface FoundImage {
  readonly digest: string;
  readonly contentType: string;
  readonly content: Buffer;
}

/** The image for a preview, which has no attachments and no address to load an image from. */
export function toDataUrl(image: FoundImage | undefined): string | undefined {
  return image && `data:${image.contentType};base64,${image.content.toString('base64')}`;
}

const NO_IMAGES: Readonly<Record<ImageSlot, string>> = { logo: '', logoDark: '', icon: '', iconDark: '' };
const EVENT_WORD: Readonly<Record<ImageSlot, string>> = {
  logo: 'logo',
  logoDark: 'logo.dark',
  icon: 'icon',
  iconDark: 'icon.dark',
};

const FIND_IMAGE = statement(
  'label.image',
  `SELECT ${columnsOf(LabelImage, 'i', ['digest', 'contentType', 'content'])}
   FROM label_image i
   WHERE i.owner_id = :ownerId AND i.digest = :wanted`,
).rows<FoundImage>();

const FIND_ACTIVE_DIGESTS = statement(
  'label.active_images',
  `SELECT ${columnsOf(LabelPolicy, 'p', ['logo', 'logoDark', 'icon', 'iconDark'])}
   FROM label_policy p
   WHERE p.owner_id = :ownerId`,
).rows<Record<ImageSlot, string>>();

const REMOVE_UNUSED = statement(
  'label.remove_unused_images',
  `DELETE FROM label_image i
   WHERE i.owner_id = :ownerId
     AND NOT EXISTS (
       SELECT 1
       FROM label_policy a
       WHERE a.owner_id = :ownerId AND i.digest IN (a.logo, a.logo_dark, a.icon, a.icon_dark))
     AND NOT EXISTS (
       SELECT 1
       FROM label_preview p
       WHERE p.owner_id = :ownerId AND i.digest IN (p.logo, p.logo_dark, p.icon, p.icon_dark))`,
);

/** The look of an owner's pages: changes are made to a preview, which is published by activating it. */
@Injectable()
export class LabelService {
  private readonly sent = new HeldOnce();

  constructor(
    @InjectRepository(LabelImage) private readonly images: Repository<LabelImage>,
    private readonly database: Database,
    private readonly policies: PolicyService,
    private readonly journal: Journal,
  ) {}

  /**
   * Images are not copied from the instance: they are set one by one.
   * @throws DomainError AlreadyExists, InvalidArgument
   */
  async add(ownerId: string, settings: LabelSettings, editorId: string): Promise<Details> {
    return this.database.transaction(async (tx) => {
      return this.policies.add(tx, 'labelPreview', ownerId, { ...settings, ...NO_IMAGES }, editorId);
    });
  }

  /** @throws DomainError NotFound, InvalidArgument */
  async update(ownerId: string, settings: LabelSettings, editorId: string): Promise<Details> {
    return this.database.transaction(async (tx) => {
      return this.policies.update(tx, 'labelPreview', ownerId, settings, editorId);
    });
  }

  /**
   * Publishes the preview; does nothing if it is published already.
   * @throws DomainError NotFound
   */
  async activate(ownerId: string, editorId: string): Promise<Details> {
    return this.database.transaction(async (tx) => {
      const preview = await this.policies.getLocked(tx, 'labelPreview', ownerId);
      const details = await this.policies.copy(tx, 'label', ownerId, settingsOf<'labelPreview'>(preview), () =>
        this.append(tx, ownerId, 'activated', {}, editorId),
      );
      await this.removeUnusedImages(tx, ownerId);
      return details;
    });
  }

  /**
   * Removes preview, published label and images; the instance's label applies again.
   * @throws DomainError NotFound
   */
  async reset(orgId: string, editorId: string): Promise<Details> {
    return this.database.transaction(async (tx) => {
      const details = await this.policies.reset(tx, 'labelPreview', orgId, editorId);
      await this.policies.drop(tx, 'label', orgId);
      await this.removeUnusedImages(tx, orgId);
      return details;
    });
  }

  /**
   * Sets an image of the preview.
   * @throws DomainError NotFound `policy.not_found`; InvalidArgument `policy.image_unreadable`,
   * `policy.image_too_large`
   */
  async setImage(ownerId: string, slot: ImageSlot, content: Buffer, editorId: string): Promise<Details> {
    return this.database.transaction(async (tx) => {
      if (content.length > MAX_IMAGE_BYTES) throw imageTooLarge(MAX_IMAGE_BYTES);
      const image = readImage(content);
      if ('problem' in image) throw imageUnreadable(image.problem);
      const { contentType } = image;
      const preview = await this.policies.getLocked(tx, 'labelPreview', ownerId);
      const digest = sha256(content).toString('base64url');
      await tx.of(this.images).upsert({ ownerId, digest, contentType, content }, ['ownerId', 'digest']);
      return this.putImage(tx, preview, slot, digest, `${EVENT_WORD[slot]}.added`, editorId);
    });
  }

  /** @throws DomainError NotFound `policy.not_found` */
  async removeImage(ownerId: string, slot: ImageSlot, editorId: string): Promise<Details> {
    return this.database.transaction(async (tx) => {
      const preview = await this.policies.getLocked(tx, 'labelPreview', ownerId);
      return this.putImage(tx, preview, slot, '', `${EVENT_WORD[slot]}.removed`, editorId);
    });
  }

  /** The published image; with a digest that one, even if it is only in the preview. */
  async findImage(ownerId: string, slot: ImageSlot, digest?: string): Promise<FoundImage | undefined> {
    const wanted = digest ?? (await this.database.query(FIND_ACTIVE_DIGESTS, { ownerId }))[0]?.[slot];
    if (wanted === undefined || wanted === '') return undefined;
    const [image] = await this.database.query(FIND_IMAGE, { ownerId, wanted });
    return image && { ...image, content: this.sent.of(`${ownerId} ${image.digest}`, image.content) };
  }

  private async putImage(
    tx: Transaction,
    preview: LabelPreview,
    slot: ImageSlot,
    digest: string,
    what: string,
    editorId: string,
  ): Promise<Details> {
    if (preview[slot] === digest) return detailsOf(preview);
    const { ownerId } = preview;
    const details = await this.policies.copy(tx, 'labelPreview', ownerId, { [slot]: digest }, () =>
      this.append(tx, ownerId, what, { digest }, editorId),
    );
    await this.removeUnusedImages(tx, ownerId);
    return details;
  }

  private async removeUnusedImages(tx: Transaction, ownerId: string): Promise<void> {
    await tx.query(REMOVE_UNUSED, { ownerId });
  }

  private async append(
    tx: Transaction,
    ownerId: string,
    what: string,
    payload: Record<string, unknown>,
    editorId: string,
  ): Promise<EventMark> {
    return this.journal.append(tx, {
      aggregateType: 'policy.label',
      aggregateId: ownerId,
      type: `policy.label.${what}`,
      orgId: ownerId,
      editorId,
      payload,
    });
  }
}
