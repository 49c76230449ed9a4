import { ANNOTATIONS, type ProtoField, type ProtoFile, type ProtoMethod, type ProtoType } from './proto.js';

/*
 * Third-party interfaces that our files import or that we serve: the fields and numbers of googleapis (google/api,
 * google/rpc) and of gRPC (grpc/health, grpc/reflection), as documented there.
 */

const TEXT: ProtoType = { scalar: 'string' };

function text(name: string, number: number, more: Partial<ProtoField> = {}): ProtoField {
  return { name, number, type: TEXT, ...more };
}

const http: ProtoFile = {
  path: 'google/api/http.proto',
  package: 'google.api',
  imports: [],
  messages: [
    {
      name: 'Http',
      fields: [
        { name: 'rules', number: 1, type: { message: 'google.api.HttpRule' }, many: true },
        { name: 'fully_decode_reserved_expansion', number: 2, type: { scalar: 'bool' } },
      ],
    },
    {
      name: 'HttpRule',
      fields: [
        text('selector', 1),
        ...['get', 'put', 'post', 'delete', 'patch'].map((name, index) => text(name, index + 2, { oneof: 'pattern' })),
        text('body', 7),
        { name: 'custom', number: 8, type: { message: 'google.api.CustomHttpPattern' }, oneof: 'pattern' },
        { name: 'additional_bindings', number: 11, type: { message: 'google.api.HttpRule' }, many: true },
        text('response_body', 12),
      ],
    },
    { name: 'CustomHttpPattern', fields: [text('kind', 1), text('path', 2)] },
  ],
};

const annotations: ProtoFile = {
  path: ANNOTATIONS,
  package: 'google.api',
  imports: ['google/api/http.proto', 'google/protobuf/descriptor.proto'],
  messages: [],
  methodOption: { name: 'http', number: 72_295_728, type: { message: 'google.api.HttpRule' } },
};

const errorDetails: ProtoFile = {
  path: 'google/rpc/error_details.proto',
  package: 'google.rpc',
  imports: [],
  messages: [
    {
      name: 'BadRequest',
      comment: 'The invalid fields of a request.',
      fields: [{ name: 'field_violations', number: 1, type: { message: 'google.rpc.FieldViolation' }, many: true }],
    },
    { name: 'FieldViolation', fields: [text('field', 1), text('description', 2)] },
  ],
};

const status: ProtoFile = {
  path: 'google/rpc/status.proto',
  package: 'google.rpc',
  imports: ['google/protobuf/any.proto'],
  messages: [
    {
      name: 'Status',
      comment: 'The content of the grpc-status-details-bin trailer.',
      fields: [
        { name: 'code', number: 1, type: { scalar: 'int32' } },
        text('message', 2),
        { name: 'details', number: 3, type: { message: 'google.protobuf.Any' }, many: true },
      ],
    },
  ],
};

const health: ProtoFile = {
  path: 'grpc/health/v1/health.proto',
  package: 'grpc.health.v1',
  imports: [],
  messages: [
    { name: 'HealthCheckRequest', fields: [text('service', 1)] },
    {
      name: 'HealthCheckResponse',
      fields: [{ name: 'status', number: 1, type: { choice: 'grpc.health.v1.ServingStatus' } }],
    },
  ],
  enums: [
    {
      name: 'ServingStatus',
      values: ['UNKNOWN', 'SERVING', 'NOT_SERVING', 'SERVICE_UNKNOWN'].map((name, number) => ({ name, number })),
    },
  ],
  services: [
    {
      name: 'Health',
      methods: [
        { name: 'Check', input: 'grpc.health.v1.HealthCheckRequest', output: 'grpc.health.v1.HealthCheckResponse' },
        {
          name: 'Watch',
          input: 'grpc.health.v1.HealthCheckRequest',
          output: 'grpc.health.v1.HealthCheckResponse',
          streams: 'answers',
        },
      ],
    },
  ],
};

function reflection(version: 'v1' | 'v1alpha'): ProtoFile {
  const name = `grpc.reflection.${version}`;
  const info: ProtoMethod = {
    name: 'ServerReflectionInfo',
    input: `${name}.ServerReflectionRequest`,
    output: `${name}.ServerReflectionResponse`,
    streams: 'both',
  };
  const request = (field: string, number: number): ProtoField => text(field, number, { oneof: 'message_request' });
  const answer = (field: string, number: number, message: string): ProtoField => ({
    name: field,
    number,
    type: { message: `${name}.${message}` },
    oneof: 'message_response',
  });
  return {
    path: `grpc/reflection/${version}/reflection.proto`,
    package: name,
    imports: [],
    messages: [
      {
        name: 'ServerReflectionRequest',
        fields: [
          text('host', 1),
          request('file_by_filename', 3),
          request('file_containing_symbol', 4),
          {
            name: 'file_containing_extension',
            number: 5,
            type: { message: `${name}.ExtensionRequest` },
            oneof: 'message_request',
          },
          request('all_extension_numbers_of_type', 6),
          request('list_services', 7),
        ],
      },
      {
        name: 'ExtensionRequest',
        fields: [text('containing_type', 1), { name: 'extension_number', number: 2, type: { scalar: 'int32' } }],
      },
      {
        name: 'ServerReflectionResponse',
        fields: [
          text('valid_host', 1),
          { name: 'original_request', number: 2, type: { message: `${name}.ServerReflectionRequest` } },
          answer('file_descriptor_response', 4, 'FileDescriptorResponse'),
          answer('all_extension_numbers_response', 5, 'ExtensionNumberResponse'),
          answer('list_services_response', 6, 'ListServiceResponse'),
          answer('error_response', 7, 'ErrorResponse'),
        ],
      },
      {
        name: 'FileDescriptorResponse',
        fields: [{ name: 'file_descriptor_proto', number: 1, type: { scalar: 'bytes' }, many: true }],
      },
      {
        name: 'ExtensionNumberResponse',
        fields: [
          text('base_type_name', 1),
          { name: 'extension_number', number: 2, type: { scalar: 'int32' }, many: true },
        ],
      },
      {
        name: 'ListServiceResponse',
        fields: [{ name: 'service', number: 1, type: { message: `${name}.ServiceResponse` }, many: true }],
      },
      { name: 'ServiceResponse', fields: [text('name', 1)] },
      {
        name: 'ErrorResponse',
        fields: [{ name: 'error_code', number: 1, type: { scalar: 'int32' } }, text('error_message', 2)],
      },
    ],
    services: [{ name: 'ServerReflection', methods: [info] }],
  };
}

/** The files that ours import. */
export const GOOGLE_FILES: readonly ProtoFile[] = [http, annotations, errorDetails, status];

/** The standard services of every gRPC server. */
export const STANDARD_SERVICES: readonly ProtoFile[] = [health, reflection('v1'), reflection('v1alpha')];
