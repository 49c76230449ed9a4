import type { MigrationInterface } from 'typeorm';
import { Groups1796032800200 } from './2-groups.js';
import { LookUps1796032800300 } from './3-look-ups.js';
import { ProviderOptions1796032800400 } from './4-provider-options.js';
import { LinkAttributes1796032800500 } from './5-link-attributes.js';
import { OrgMetadata1796032800600 } from './6-org-metadata.js';
import { PasskeysOfOthers1796032800700 } from './7-passkeys-of-others.js';
import { DayCounts1796032800800 } from './8-day-counts.js';
import { Overview1796032800900 } from './9-overview.js';
import { Baseline1795219200100 } from './baseline.js';

/** Every schema change, oldest first. Never edit one that was released. */
export const SCHEMA_CHANGES: ReadonlyArray<new () => MigrationInterface> = [
  Baseline1795219200100,
  Groups1796032800200,
  LookUps1796032800300,
  ProviderOptions1796032800400,
  LinkAttributes1796032800500,
  OrgMetadata1796032800600,
  PasskeysOfOthers1796032800700,
  DayCounts1796032800800,
  Overview1796032800900,
];
