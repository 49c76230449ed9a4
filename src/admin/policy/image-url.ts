import type { ImageSlot } from '../../org/policy/label.service.js';
import type { LabelPolicy } from '../../org/policy/label-policy.entity.js';

/** The last part of an image's address. */
export const IMAGE_PATHS: Readonly<Record<ImageSlot, string>> = {
  logo: 'logo',
  logoDark: 'logo_dark',
  icon: 'icon',
  iconDark: 'icon_dark',
};

/** The address of an image of a label policy, which changes with the image; empty if there is none. */
export function imageUrl(policy: Pick<LabelPolicy, ImageSlot | 'ownerId'>, slot: ImageSlot, publicUrl: string): string {
  return policy[slot] === ''
    ? ''
    : `${publicUrl}/assets/${encodeURIComponent(policy.ownerId)}/${IMAGE_PATHS[slot]}?v=${policy[slot]}`;
}
