/** Why a document is not read at all. */
export type XmlReason = 'xml_too_large' | 'xml_not_utf8' | 'xml_doctype' | 'xml_malformed' | 'xml_too_complex';

/** Why a message or a document of metadata does not say what it must. */
export type ContentReason = 'element_missing' | 'element_repeated' | 'element_unexpected' | 'value_malformed';

/** Why the form of a binding is not read. */
export type BindingReason =
  | 'parameter_missing'
  | 'parameter_repeated'
  | 'parameter_misplaced'
  | 'encoding_malformed'
  | 'encoding_unsupported'
  | 'binding_unsupported';

/** Why a signature proves nothing. */
export type SignatureReason =
  | 'signature_missing'
  | 'signature_misplaced'
  | 'signature_form'
  | 'signature_reference'
  | 'signature_transform'
  | 'signature_algorithm'
  | 'signature_invalid'
  | 'signature_keyless'
  | 'id_repeated'
  | 'certificate_unusable';

/** Why metadata of a partner is not taken. */
export type MetadataReason =
  | 'metadata_expired'
  | 'metadata_several_entities'
  | 'metadata_role_missing'
  | 'metadata_several_roles'
  | 'metadata_certificate_missing'
  | 'metadata_endpoint_missing'
  | 'metadata_address'
  | 'metadata_source'
  | 'metadata_other_entity'
  | 'metadata_unavailable';

/** Why a message is not for us, not from them, or not now. */
export type MessageReason =
  | 'version_unsupported'
  | 'issuer_missing'
  | 'issuer_other'
  | 'destination_missing'
  | 'destination_other'
  | 'issued_in_future'
  | 'issued_long_ago'
  | 'message_expired'
  | 'identifier_encrypted';

/** Why an AuthnRequest has a page for its answer: there is no address that the answer may go to. */
export type AuthnRequestReason = 'consumer_ambiguous' | 'consumer_unlisted' | 'consumer_binding';

/** Why nothing is signed for a request that was accepted: the application or the user was removed (SML-019). */
export type SignInReason = 'removed_meanwhile';

/** Why a Response signs in nobody. */
export type ResponseReason =
  | 'response_unsolicited'
  | 'response_of_other_request'
  | 'status_failed'
  | 'assertion_missing'
  | 'assertion_repeated'
  | 'assertion_encrypted'
  | 'confirmation_missing'
  | 'confirmation_expired'
  | 'confirmation_early'
  | 'recipient_other'
  | 'audience_missing'
  | 'audience_other'
  | 'condition_unknown'
  | 'assertion_expired'
  | 'assertion_early'
  | 'authentication_missing'
  | 'authentication_in_future'
  | 'authentication_too_old'
  | 'session_expired'
  | 'subject_missing'
  | 'subject_transient'
  | 'subject_format'
  | 'subject_ambiguous';

/** One word for the log. */
export type SamlReason =
  | XmlReason
  | ContentReason
  | BindingReason
  | SignatureReason
  | MetadataReason
  | MessageReason
  | AuthnRequestReason
  | SignInReason
  | ResponseReason;

/**
 * A message, a document or a signature is not accepted. Neither member says anything that the other side has sent: a
 * log may keep both, a page shows none.
 */
export class SamlRefusal extends Error {
  constructor(
    readonly reason: SamlReason,
    /** Which part of the standard is not kept, in words of ours. */
    readonly detail?: string,
  ) {
    super(detail === undefined ? reason : `${reason}: ${detail}`);
    this.name = new.target.name;
  }
}
