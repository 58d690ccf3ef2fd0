import { type Dialect, type EditStyle, plain } from '../dialect.ts';

/**
 * https://www.volcengine.com/docs/82379/1541523 (BytePlus: docs.byteplus.com/en/docs/ModelArk):
 * edits are generations with `image`; `watermark` is on unless said otherwise; 4.5 and 5.0 refuse less
 * than 2560 × 1440 pixels. 5.0 Pro and Flash, of mid-2026, have other sizes, and refuse `stream` and
 * `sequential_image_generation`, even where it is `disabled`, as it is for all of them unless asked for.
 */
export const ark: Dialect = {
  ...plain,
  name: 'ark',
  title: 'Seedream on Ark',
  edit: arkEdit(14),
  size: { as: 'pixels', field: 'size', auto: '2K', pixelsMin: 2560 * 1440, step: 16 },
  format: { field: null, words: { jpeg: 'jpeg' } },
  // Addresses that live for a day otherwise.
  responseFormat: 'b64_json',
  stream: 'ark',
  constants: { watermark: false },
  models: [
    {
      name: /seedream-4-0/,
      traits: {
        size: { as: 'pixels', field: 'size', auto: '2K', pixelsMin: 1280 * 720, step: 16 },
      },
    },
    {
      name: /seedream-5/,
      traits: { format: { field: 'output_format', words: { png: 'png', jpeg: 'jpeg' } } },
    },
    {
      name: /seedream-5-0-(?:pro|flash)/,
      traits: {
        edit: arkEdit(10),
        size: {
          as: 'pixels',
          field: 'size',
          auto: '2K',
          pixelsMin: 1280 * 720,
          pixelsMax: 4_624_220,
        },
        stream: 'none',
      },
    },
  ],
  // https://www.volcengine.com/docs/82379/1299023
  errors: {
    codes: {
      InputTextSensitiveContentDetected: 'refused',
      'InputTextSensitiveContentDetected.PolicyViolation': 'refused',
      InputImageSensitiveContentDetected: 'refused',
      'InputImageSensitiveContentDetected.PolicyViolation': 'refused',
      'InputImageSensitiveContentDetected.PrivacyInformation': 'refused',
      OutputImageSensitiveContentDetected: 'refused',
      'OutputImageSensitiveContentDetected.PolicyViolation': 'refused',
      'OutputImageSensitiveContentDetected.DeepFake': 'refused',
      OutputTextSensitiveContentDetected: 'refused',
      SensitiveContentDetected: 'refused',
      'SensitiveContentDetected.SevereViolation': 'refused',
      'SensitiveContentDetected.Violence': 'refused',
      InputTextRiskDetection: 'refused',
      InputImageRiskDetection: 'refused',
      OutputTextRiskDetection: 'refused',
      OutputImageRiskDetection: 'refused',
      // The one who looks for risks could not be asked.
      ContentSecurityDetectionError: 'unavailable',
      AccountOverdueError: 'quota',
      'OperationDenied.ServiceOverdue': 'quota',
      QuotaExceeded: 'quota',
      AuthenticationError: 'auth',
      AccessDenied: 'auth',
      ModelNotOpen: 'unsupported',
      // Of one model, which is paused at the limit that the account has set for it.
      SetLimitExceeded: 'unsupported',
      'OperationDenied.ServiceNotOpen': 'unsupported',
      'InvalidEndpoint.ClosedEndpoint': 'unsupported',
      'InvalidEndpointOrModel.NotFound': 'unsupported',
      'InvalidEndpointOrModel.ModelIDAccessDisabled': 'unsupported',
      ServerOverloaded: 'busy',
      InternalServiceError: 'unavailable',
    },
    // Each model has a gift of its own, after which it has to be opened.
    sentences: [[/\bexhausted (?:its|the) free trial quota for\b/i, 'unsupported']],
  },
  presets: [
    {
      title: 'Seedream on BytePlus ModelArk',
      baseUrl: 'https://ark.ap-southeast.bytepluses.com/api/v3',
      upstreamModels: [
        'seedream-4-5-251128',
        'seedream-5-0-260128',
        'dola-seedream-5-0-pro-260628',
        'dola-seedream-5-0-flash-260915',
      ],
    },
    {
      title: 'Seedream on Volcengine Ark',
      baseUrl: 'https://ark.cn-beijing.volces.com/api/v3',
      upstreamModels: [
        'doubao-seedream-4-5-251128',
        'doubao-seedream-5-0-260128',
        'doubao-seedream-5-0-pro-260628',
        'doubao-seedream-5-0-flash-260915',
      ],
    },
  ],
};

function arkEdit(referenceImagesMax: number): EditStyle {
  return {
    path: '/images/generations',
    body: {
      as: 'json',
      shape: 'data_url',
      one: { field: 'image', in: 'value' },
      several: { field: 'image', in: 'array' },
    },
    referenceImagesMax,
    reads: ['png', 'jpeg', 'webp'],
    mask: null,
  };
}
