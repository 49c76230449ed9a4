import { DomainError } from 'gatehouse';

export function applicationUnknown(): DomainError {
  return new DomainError('NotFound', 'saml.application_unknown', 'The project has no such application of SAML.');
}

export function entityTaken(): DomainError {
  return new DomainError(
    'AlreadyExists',
    'saml.entity_taken',
    'Another application of this instance has the same entityID. A message would not say whose it is.',
  );
}

export function entityOurs(): DomainError {
  return invalid('metadata', 'saml.entity_ours', 'has the entityID of this service');
}

export function entityElsewhere(): DomainError {
  return new DomainError(
    'FailedPrecondition',
    'saml.entity_elsewhere',
    'The entityID is of a domain that another organization has proved to be its own.',
  );
}

/** @param reason a word of ours: nothing in it was sent */
export function metadataInvalid(reason: string): DomainError {
  return invalid(
    'metadata',
    'saml.metadata_invalid',
    `is not metadata of a service provider that can be taken: ${reason}`,
  );
}

export function oneSource(): DomainError {
  return invalid('metadata', 'saml.metadata_source', 'is given either as XML or by metadataUrl, and not by both');
}

export function metadataUnavailable(status: number): DomainError {
  return invalid('metadataUrl', 'saml.metadata_unavailable', `answers with the status ${status} instead of 200`);
}

export function metadataUrlMissing(): DomainError {
  return new DomainError(
    'NotFound',
    'saml.metadata_url_missing',
    'The metadata of the application was given as XML. There is no address to read it from.',
  );
}

export function entityOther(): DomainError {
  return invalid('metadataUrl', 'saml.entity_other', 'now has the metadata of another entity');
}

export function certificateMissing(): DomainError {
  return invalid(
    'requireSignedRequests',
    'saml.certificate_missing',
    'needs metadata with a certificate, by which requests could be verified',
  );
}

function invalid(field: string, reason: string, description: string): DomainError {
  return new DomainError('InvalidArgument', reason, `${field} ${description}.`, {
    violations: [{ field, description }],
  });
}
