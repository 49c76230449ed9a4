import type { Share } from '../../../management/org/affected-people.js';

/** `412 of 530 people have` */
export function shareOf(share: Share | undefined, singular: string, plural: string): string {
  if (!share) return `an unknown number of people (there are too many to be counted) ${plural}`;
  const { counted, total } = share;
  return `${number(counted)} of ${number(total)} ${total === 1 ? 'person' : 'people'} ${counted === 1 ? singular : plural}`;
}

/** `3 grants` */
export function amount(count: number, noun: string): string {
  return `${number(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** Whether a sentence about nobody would only be in the way. */
export function concerns(share: Share | undefined): boolean {
  return share === undefined || share.counted > 0;
}

function number(value: number): string {
  return value.toLocaleString('en');
}
