import type { INestApplicationContext } from '@nestjs/common';
import { declaredSeams, type Filled } from '../foundation/extension/seam.js';
import { ExtKinds } from '../idp/ext-kinds.js';

/** The mistakes that parts of extensions report, once they exist, each in a sentence with its remedy. */
export function partMistakes(services: INestApplicationContext): string[] {
  const ofSeams = declaredSeams().flatMap((seam) =>
    seam.mistakes(services.get<ReadonlyArray<Filled<unknown>>>(seam.token)),
  );
  return [...ofSeams, ...services.get(ExtKinds, { strict: false }).mistakes()];
}
