import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { writeFileSync } from 'node:fs';
import { AppModule } from './app.module.js';
import { parseConfig } from './config/parse-config.js';
import { ConnectionSettings } from './database/connection-settings.js';
import { buildDocument } from './docs/api-document.js';
import { Urn } from './token/urn.js';

/** Writes openapi.json, as a service with the default settings shows it. Needs no database: nothing of the application runs. */
const config = parseConfig({}, { readFile: () => '', terminal: false });
const module = AppModule.of(config, new ConnectionSettings({}, 'none'), {});
const app = await NestFactory.create(module, { preview: true, logger: false });
const document = buildDocument(app, config.issuer, new Urn(config.issuer));
writeFileSync(new URL('../openapi.json', import.meta.url), `${JSON.stringify(document, null, 2)}\n`);
