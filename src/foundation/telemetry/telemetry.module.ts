import { Module } from '@nestjs/common';
import { MetricsModule } from '../metrics/metrics.module.js';
import { Telemetry } from './telemetry.js';

@Module({ imports: [MetricsModule], providers: [Telemetry], exports: [Telemetry] })
export class TelemetryModule {}
