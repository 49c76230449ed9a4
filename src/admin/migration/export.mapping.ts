import { type FieldViolation, invalidFields } from '../../foundation/error/domain-error.js';
import type { ExportRequest } from '../../migration/export.service.js';
import { type Place, readBucketPlace, readDirectoryPlace, readS3Place } from '../../migration/storage/place.js';
import { parseTimeout, TIMEOUT_RULE } from '../../migration/timeout.js';
import type { ExportDataRequest } from './migration.dto.js';

const ONE_FILE = 'must be the only output: only one of objstoreOutput, gcsOutput, s3Output and localOutput is allowed';

/** @throws DomainError InvalidArgument with every violation */
export function toExportRequest(request: ExportDataRequest): ExportRequest {
  const { orgIds, excludedOrgIds, withPasswords, withOtp, withKeys, withPasskeys } = request;
  const violations: FieldViolation[] = [];
  const timeoutMs = parseTimeout(request.timeout);
  if (timeoutMs === undefined) violations.push({ field: 'timeout', description: TIMEOUT_RULE });
  const place = readPlace(request, violations);
  if (violations.length > 0) throw invalidFields(violations);
  return { orgIds, excludedOrgIds, withPasswords, withOtp, withKeys, withPasskeys, timeoutMs: timeoutMs!, place };
}

function readPlace(
  { objstoreOutput, gcsOutput, s3Output, localOutput }: ExportDataRequest,
  violations: FieldViolation[],
): Place | undefined {
  const places = [
    objstoreOutput && readBucketPlace('objstoreOutput', objstoreOutput, violations),
    gcsOutput && readBucketPlace('gcsOutput', gcsOutput, violations),
    s3Output && readS3Place('s3Output', s3Output, violations),
    localOutput && readDirectoryPlace('localOutput', localOutput, violations),
  ];
  const named = Object.entries({ objstoreOutput, gcsOutput, s3Output, localOutput }).filter(
    ([, output]) => output !== undefined,
  );
  if (named.length > 1) violations.push({ field: named[1]![0], description: ONE_FILE });
  return places.find((place) => place !== undefined);
}
